/* The rules for 9×9 boards. Included by nine_walk.h, once for each instruction set.
 *
 * Naked singles, the cheapest rule, are found on all cells at once: some 25 ANDs and ORs tell which
 * cells have no candidate, one, or more. Hidden singles and locked candidates are found on all units
 * of a digit at once. A *triple* is three cells side by side in a box.
 *
 * Sources
 *     JCZSolve, by zhouyundong_2012 with champagne and JasonLion, 2012 to 2016 (forum.enjoysudoku.com,
 *         topic 30470): 27 bits for each digit and band; the numbers of candidates of cells by ANDs and
 *         ORs over the digits; locked candidates from the triples and from the columns of a band;
 *         rules for those digits only whose places have changed. JCZSolve looks locked candidates
 *         up in tables. Here shifts of vectors find them, in all three bands at once.
 *     "sudoku" by Emerentius (github.com/Emerentius/sudoku), its port to Rust, with comments.
 */

/* Remove the digits of cells with one candidate from their peers. A peer left without a candidate,
 * even another one of these cells, is found by the next check of all cells.
 *
 * One loop visits both halves of the set, and reads the digit's bits from memory. With a loop for each
 * half, lists of puzzles took up to 7 % longer; with bits in registers or vectors, up to 10 %. */
static inline void VERSION(nine_remove_singles)(NineState *s, Cells single)
{
    const Cells *p = s->places;
    /* the digit of each of these cells in binary, since it is the only one there */
    Halves ones = (Halves)(p[1] | p[3] | p[5] | p[7]), twos = (Halves)(p[2] | p[3] | p[6] | p[7]);
    Halves fours = (Halves)(p[4] | p[5] | p[6] | p[7]), eights = (Halves)p[8], halves = (Halves)single;
    uint64_t binary[2][4];

    s->done |= single;
    for (int half = 0; half < 2; half++) {
        binary[half][0] = ones[half], binary[half][1] = twos[half];
        binary[half][2] = fours[half], binary[half][3] = eights[half];
    }
    int half = 0;
    uint64_t left = halves[0];
    if (!left)
        left = halves[1], half = 1;
    for (;;) {
        const uint64_t *b = binary[half];
        int bit = lowest64(left);
        int digit = (b[0] >> bit & 1) | (b[1] >> bit & 1) << 1 | (b[2] >> bit & 1) << 2 | (b[3] >> bit & 1) << 3;
        s->places[digit] &= ~nine.peers[64 * half + bit];
        left &= left - 1;
        if (!left) {
            if (half || !halves[1])
                break;
            left = halves[1], half = 1;
        }
    }
}

/* Apply two rules, digit by digit. Locked candidates: remove places because a digit is confined to
 * a line of a box or a box of a line. Hidden singles: find cells that are the last place of a digit
 * in a row, column or box.
 *
 * Both follow from the triples where the digit may stand. In a band it stands in three of the nine,
 * one in each row and each box, as the ones of a permutation. A triple is out unless one of the two
 * permutations through it is possible, that is, the other two rows have the other two boxes in
 * either order. The same holds in a stack (three boxes below each other) for the nine columns of
 * three cells.
 *
 * `before` are the places at the previous call: a digit whose places have not changed is skipped.
 * The places at this call are written to `seen`, which may be the same array as `before`. */
static inline int VERSION(nine_unit_rules)(NineState *s, const Cells *before, Cells *seen)
{
    Cells last[9], taken = {0}, clash = {0}, empty = {0}, news = {0};
    unsigned changed = 0;

    for (int d = 0; d < 9; d++) {
        Cells places = s->places[d];
        changed |= (unsigned)!nine_none(places ^ before[d]) << d;
        seen[d] = places;
        last[d] = (Cells){0};
    }
    for (; changed; changed &= changed - 1) {
        int d = lowest64(changed);
        Cells places = s->places[d];

        /* Triples: bit 9 r + 3 b of a lane stands for row r of box b. */
        Cells second = places >> 1, third = places >> 2;
        Cells used = (places | second | third) & 0111111111;
        Cells twice = (places & second) | ((places | second) & third);
        Cells next = (used >> 3 & 0011011011) | (used << 6 & 0100100100); /* of the next box in the same row */
        Cells after = (used >> 6 & 0001001001) | (used << 3 & 0110110110);
        /* Boxes need no check: a box with one place has emptied the rest of its row by the next
         * call. */
        Cells lone = used & ~(twice | next | after);
        used &= ((next >> 9 | next << 18) & (after >> 18 | after << 9)) |
                ((after >> 9 | after << 18) & (next >> 18 | next << 9));
        empty |= (Cells)(used == 0);
        places &= (used << 3) - used; /* all three cells of a triple */
        lone = (lone << 3) - lone;

        /* Columns of three: bit c of a lane stands for column c of the band. */
        second = places >> 9, third = places >> 18;
        used = (places | second | third) & 0777;
        twice = (places & second) | ((places | second) & third);
        next = (used >> 1 & 0333) | (used << 2 & 0444); /* the next column in the same box */
        after = (used >> 2 & 0111) | (used << 1 & 0666);
        used &= (NINE_NEXT_BAND(next) & NINE_AFTER_BAND(after)) | (NINE_NEXT_BAND(after) & NINE_AFTER_BAND(next));
        places &= used | used << 9 | used << 18;
        used &= ~(twice | NINE_NEXT_BAND(used) | NINE_AFTER_BAND(used));
        lone = (lone | used | used << 9 | used << 18) & places;

        s->places[d] = places;
        last[d] = lone;
        clash |= taken & lone; /* the last place of two digits */
        taken |= lone;
    }
    empty[3] = 0; /* no band */
    if (!nine_none(clash | empty))
        return NINE_DEAD;
    for (int d = 0; d < 9; d++) {
        Cells places = s->places[d] & (~taken | last[d]);
        news |= places ^ seen[d];
        s->places[d] = places;
    }
    return nine_none(news) ? NINE_UNCHANGED : NINE_CHANGED;
}

/* Apply all rules until they change nothing. `before` are places from which the rules for units
 * draw no further conclusion: those of the state that this one was made from, or none. */
NINE_HOT static int VERSION(nine_propagate)(NineState *s, const Cells *before)
{
    Cells seen[9];
    for (;;) {
        const Cells *p = s->places;
        Cells ab = p[0] | p[1], de = p[3] | p[4], gh = p[6] | p[7];
        Cells abc = ab | p[2], def = de | p[5], ghi = gh | p[8], af = abc | def;
        Cells any = af | ghi;
        Cells many = (p[0] & p[1]) | (ab & p[2]) | (p[3] & p[4]) | (de & p[5]) | (p[6] & p[7]) | (gh & p[8]) |
                     (abc & def) | (af & ghi);
        if (!nine_none(NINE_ALL & ~any))
            return NINE_DEAD;
        Cells single = any & ~many & ~s->done;
        if (!nine_none(single)) {
            VERSION(nine_remove_singles)(s, single);
            continue;
        }
        if (nine_none(many))
            return NINE_SOLVED;
        if (nine_count(many) <= NINE_RULES_ABOVE)
            return NINE_OPEN;
        int change = VERSION(nine_unit_rules)(s, before, seen);
        before = seen;
        if (change == NINE_UNCHANGED)
            return NINE_OPEN;
        if (change == NINE_DEAD)
            return NINE_DEAD;
    }
}
