/* The rule that chooses the cell to branch on, in all walks: one with the fewest candidates. Far from
 * the leaves several of these are compared, near them the first is chosen.
 *
 * Included by nine_walk.h, once for each instruction set, and by general.h, after the states that it reads.
 */
#ifndef ENUMERATOR_CHOOSE_H
#define ENUMERATOR_CHOOSE_H

enum {
    /* The worth of a branch on a cell is the number of places in its peers that it rules out. A
     * place in a peer with equally few candidates counts 1 + NINE_PEER_WEIGHT. Nodes per puzzle:
     *
     *     weight              0       1       2       3       4       8
     *     17 clues            3.29    3.08    2.90    2.84    2.81    2.86
     *     hardest             173     154     149     152     158     180
     *     magic tour          24.5    21.1    19.4    18.9    19.1    20.3
     */
    NINE_PEER_WEIGHT = 3,
    /* The number of cells whose worth is compared. Puzzles per second, in thousands:
     *
     *     cells               1       4       7       10      14      all
     *     17 clues            421     450     458     467     475     466
     *     hardest             13.7    18.7    20.3    20.3    20.1    20.2
     *     several solutions   538     492     448     413     391     387
     */
    NINE_COMPARED_CELLS = 10,
    /* The same number on other shapes. Seconds (nodes):
     *
     *     cells                        1               4               10              20              all
     *     published 1d                 0.21 (2.5 M)    0.21 (2.5 M)    0.17 (2.4 M)    0.18 (2.4 M)    0.17 (2.4 M)
     *     boards/16x16-many            0.038 (70 k)    0.040 (70 k)    0.038 (68 k)    0.037 (67 k)    0.035 (64 k)
     *     16×16, 99,573 solutions      0.44 (489 k)    0.38 (427 k)    0.36 (390 k)    0.40 (405 k)    0.44 (419 k)
     *     16×16, 3,457 solutions       0.022 (22 k)    0.023 (21 k)    0.011 (13 k)    0.007 (10 k)    0.007 (10 k)
     *     boards/25x25-unique          .0041 (2.0 k)   .0040 (2.1 k)   .0034 (1.6 k)   .0034 (1.5 k)   .0124 (5.5 k)
     */
    GENERAL_COMPARED_CELLS = 10,
    /* A walk for a verdict ends at the second solution. With few open cells after the first rules
     * there often is one, and a path to it needs no comparing: the first frames branch on the first
     * cell with the fewest candidates. Thousand puzzles a second:
     *
     *     frames              0       2       4       6       8       12      6, at any number of open cells
     *     17 clues            580     577     571     568     564     538     551
     *     hardest             23.8                    23.8                    22.6
     *     magic tour          160                     159                     138
     *     several solutions   466     533     567     579     605     572     587
     */
    NINE_HASTY_FRAMES = 6,
    NINE_HASTY_OPEN_CELLS = 48,
};

#endif

#ifdef VERSION /* the walk over 9×9 boards */

/* Choose a cell with the fewest candidates; all cells with four or more candidates are treated
 * alike. Far from the leaves, choose the one that rules out most places. Near them, or in haste,
 * choose the first: comparing would make the walk slower. */
static inline void VERSION(nine_choose)(NineWalk *w, NineFrame *f)
{
    Cells one = f->state.places[0], two = {0}, three = {0}, four = {0}; /* at least that many candidates */
    for (int d = 1; d < 9; d++) {
        Cells places = f->state.places[d];
        four |= three & places, three |= two & places, two |= one & places, one |= places;
    }
    Cells fewest = two & ~three;
    if (nine_none(fewest))
        fewest = three & ~four;
    if (nine_none(fewest)) /* rare */
        fewest = four;

    Halves few = (Halves)fewest;
    uint64_t low = few[0], high = few[1];
    f->spot = low ? lowest64(low) : 64 + lowest64(high);
    if (w->hasty) {
        w->hasty--;
    } else if (nine_count(two) > NINE_RULES_ABOVE) {
        int best = 0; /* the worth of a branch on a cell, and the cell's spot in the lowest 7 bits */
        for (int i = 0; i < NINE_COMPARED_CELLS && (low | high); i++) {
            int spot = low ? lowest64(low) : 64 + lowest64(high), worth = 0;
            const Half *peers = (const Half *)&nine.peers[spot];
            uint64_t low_peers = peers[0] & few[0], high_peers = peers[1] & few[1];
            for (unsigned left = nine_candidates(&f->state, spot); left; left &= left - 1) {
                const Half *places = (const Half *)&f->state.places[lowest64(left)];
                worth += popcount64(places[0] & peers[0]) + popcount64(places[1] & peers[1]) +
                         NINE_PEER_WEIGHT * (popcount64(places[0] & low_peers) + popcount64(places[1] & high_peers));
            }
            worth = worth << 7 | spot;
            best = worth > best ? worth : best;
            high = low ? high : high & (high - 1);
            low = low ? low & (low - 1) : 0;
        }
        f->spot = best & 127;
    }
    f->untried = nine_candidates(&f->state, f->spot);
}

#else /* the walk over boards of every shape, and its part near the leaves */

/* Return a cell with the fewest candidates: of the first ones, that which rules out most places. */
static int general_choose(const GeneralState *s)
{
    int best = 0, fewest = 65, compared = 0, most = 0;
    for (int word = 0; word < (s->shape->cells + 63) / 64; word++)
        for (uint64_t left = s->open[word]; left; left &= left - 1) {
            int cell = word << 6 | lowest64(left), count = popcount64(s->candidates[cell]), worth = 0;
            if (count > fewest)
                continue;
            if (count < fewest)
                fewest = count, compared = most = 0;
            if (compared++ >= GENERAL_COMPARED_CELLS) {
                if (count == 2)
                    return best;
                continue;
            }
            const uint16_t *first = s->shape->sites[cell].first;
            for (uint64_t digits = s->candidates[cell]; digits; digits &= digits - 1) {
                const uint64_t *places = s->places + lowest64(digits);
                worth += popcount64(places[first[ROW]]) + popcount64(places[first[COLUMN]]) +
                         popcount64(places[first[BOX]]);
            }
            if (worth > most)
                most = worth, best = cell;
        }
    return best;
}

/* Return the first of the open cells with the fewest candidates. */
static inline int leaves_choose(const LeafFrame *f)
{
    int best = 0, fewest = 65;
    for (uint64_t left = f->open; left && fewest > 2; left &= left - 1) {
        int i = lowest64(left), count = popcount64(f->candidates[i]);
        if (count < fewest)
            fewest = count, best = i;
    }
    return best;
}

#endif
