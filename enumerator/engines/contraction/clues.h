/* The number of solutions of a board without each of its clues: what clue_sums.pyx calls.

   README.md, "Without each clue", explains the method; clue_lines.h and clue_sums.h hold it. Lines 0 to 2 are bands, 3 to
   5 are stacks. Box i of band b is the box that it shares with stack i, and box i of stack s the one shared with band i.

   mask      of a partition in a box: the orders of its parts that the clues of the box allow; bit o: order o
   value     of a line: three partitions, and their number of arrangements
   seen      of a line and a box: the partitions that the values give to the box, as a bitset */
#ifndef ENUMERATOR_CLUES_H
#define ENUMERATOR_CLUES_H

#include "machine.h"

enum {
    CLUE_BOXES = 3,
    CLUE_LINES = 6,
    CLUE_CELLS = 81,
    CLUE_PARTITIONS = 280,
    CLUE_TRIPLES = 15680,
    CLUE_VALUES = 15400,  /* of a line */
    CLUE_COLUMNS = 15424, /* the same, rounded up to a multiple of CLUE_CHUNK */
    CLUE_WORDS = 8,       /* of a bitset of partitions: 5, rounded up to a vector */
    CLUE_CHUNK = 32,      /* entries of a vector */
    CLUE_CHUNKS = 9,      /* of a row */
    CLUE_ROW = 288,       /* CLUE_PARTITIONS, rounded up to whole chunks */
    CLUE_ORDERS = 6,
    CLUE_POOL = 1 << 13,  /* chunks: rows of F */
    CLUE_NONE = -1,       /* there is no clue */
    CLUE_COSTLY = -2,     /* the count takes too many steps */
};

/* The predicted steps of a sum are CLUE_STEPS · sqrt(stacks) · bands^(3/4), where `stacks` is the product of the numbers
   of values of the three stacks and `bands` the sum of those of the bands. The logarithm of the steps of 275 sums, of
   17-clue puzzles and of published boards, differs from that by 0.30 (standard deviation), and at most by 1. */
#define CLUE_STEPS 0.75

static const uint64_t CLUE_ENDLESS = UINT64_MAX / 2; /* steps, more than any budget */

typedef uint64_t ClueSet[CLUE_WORDS] __attribute__((aligned(64)));
typedef uint8_t ClueBytes __attribute__((vector_size(32), aligned(1), may_alias));
typedef uint16_t ClueChunk __attribute__((vector_size(64), may_alias));

typedef struct { uint16_t part[CLUE_BOXES], weight; } ClueValue;

/* Two arrangements that fit beside a first one in order 0: order · CLUE_ROW + partition. */
typedef struct { uint16_t second, third; } CluePair;

/* The lines of one direction: tables.pyx, arranged for masks. */
typedef struct {
    int boxes, orders, partitions, each;         /* `each` pairs belong to a first partition */
    CluePair pairs[CLUE_TRIPLES];                /* those of a first partition in ascending order of the second */
    uint8_t part_of[9][CLUE_ROW];                /* [digit][partition]: the part that holds the digit */
    uint8_t orders_with[CLUE_BOXES][CLUE_BOXES]; /* [part][column]: the orders that put a part into a column */
    uint8_t changed[CLUE_ORDERS][CLUE_ORDERS];   /* [order][change]: the order after a change of columns */
    ClueSet across[CLUE_PARTITIONS];             /* the compatible partitions of the lines across */
} ClueTable;

/* A line while its values are dropped: from `from`, which may be shared, to `room`. */
typedef struct {
    int count;
    const ClueValue *from;
    ClueValue *room;
    ClueSet seen[CLUE_BOXES];
} ClueLine;

typedef struct {
    int height, width;
    uint8_t cells[CLUE_CELLS];
    const ClueTable *table[2]; /* of bands, of stacks */
    uint8_t masks[CLUE_LINES][CLUE_BOXES][CLUE_ROW];
    ClueLine lines[CLUE_LINES];
    ClueValue values[CLUE_LINES][CLUE_VALUES];
} ClueBoard;

/* A band for the sum, with the names of sum.pyx. Partitions of y0, y1 and y2 in the band, c0, c1 and c2, are numbered
   there, and so are those of its values. A row has an entry for each c2, and its length is a number of chunks. */
typedef struct {
    int count, rows, chunks;       /* values, different r1, chunks of a row */
    int zeros, ones, twos;         /* different c0, c1 and c2 */
    ClueValue values[CLUE_VALUES]; /* r0 is the partition itself */
    ClueSet fits[CLUE_PARTITIONS]; /* by c1: the r1 that are compatible */
    const uint64_t *near[CLUE_PARTITIONS];           /* by c0: the r0 that are compatible */
    ClueChunk row_of[CLUE_PARTITIONS * CLUE_CHUNKS]; /* rows by r2: 1 for each compatible c2 */
    int selected;                                    /* the c0 that G is for; -1: none */
    uint16_t kept[CLUE_VALUES];                      /* the values that fit it */
    ClueSet present;                                 /* the r1 of them */
    ClueChunk by_row[CLUE_PARTITIONS * CLUE_CHUNKS]; /* G: rows by r1 */
    ClueChunk any[CLUE_PARTITIONS * CLUE_CHUNKS];    /* rows by c0: 0 where the whole column of F is */
    uint8_t is_known[CLUE_PARTITIONS];               /* by c0: 1 if there is such a row */
    int places[CLUE_PARTITIONS * CLUE_PARTITIONS];   /* by c0 and c1: the row of F; 0: not made; -1: it is empty */
    int used;                                        /* chunks of the pool */
    ClueChunk pool[CLUE_POOL];                       /* the rows of F */
} ClueBand;

/* Some values of y2: numbers of their partitions in each band, and their weights; 0 up to a whole chunk. */
typedef struct {
    int count;
    uint16_t part[CLUE_BOXES][CLUE_COLUMNS] __attribute__((aligned(64)));
    uint16_t weight[CLUE_COLUMNS] __attribute__((aligned(64)));
} ClueColumns;

/* Working memory for one clue at a time. */
typedef struct {
    ClueLine lines[CLUE_LINES];
    ClueLine shared[CLUE_LINES];  /* of a box: the lines that do not go through it, with some values dropped */
    ClueValue room[CLUE_LINES][CLUE_VALUES], shared_room[CLUE_LINES][CLUE_VALUES];
    uint8_t masks[CLUE_BOXES][CLUE_ROW];
    ClueBand bands[CLUE_BOXES];
    ClueValue values[CLUE_BOXES][CLUE_VALUES]; /* y0, y1 and y2; parts are numbers in their bands */
    uint16_t lanes[CLUE_VALUES];               /* the y1 that fit the present y0 */
    ClueColumns columns;                       /* the y2 that fit it */
} ClueWork;

typedef struct {
    /* Find the values of all lines; `cells` and the tables must be set. */
    void (*prepare)(ClueBoard *board);
    /* Drop values of the lines that do not go through a box; of all lines, if there is no such box. */
    void (*share)(const ClueBoard *board, ClueWork *work, int band, int stack);
    /* Make the network without the clue in a cell of the box that was shared; cell -1 is none. Return 0 if a line has
       no value. */
    int (*find_network)(const ClueBoard *board, ClueWork *work, int cell);
    /* Sum over the network. Return CLUE_COSTLY if that takes more than about `budget` steps. */
    int64_t (*sum)(const ClueBoard *board, ClueWork *work, uint64_t budget);
} ClueFunctions;

#define KERNEL "clue_lines.h"
#include "versions.h"

#define KERNEL "clue_sums.h"
#include "versions.h"

static const ClueFunctions *const clue_versions[] = VERSIONS(clue_functions);

/* Count the solutions without the clue in each cell, and those of the board at the end. A count is CLUE_NONE where
   there is no clue, and CLUE_COSTLY if it takes more than about `budget` steps. */
static void clue_counts(const ClueFunctions *f, const ClueBoard *board, ClueWork *work, uint64_t budget,
                        int64_t *counts)
{
    int side = board->height * board->width;
    for (int cell = 0; cell < CLUE_CELLS; cell++)
        counts[cell] = CLUE_NONE;
    for (int box = 0; box < side; box++) {
        int band = box / board->height, stack = box % board->height, is_shared = 0;
        for (int i = 0; i < side; i++) {
            int row = band * board->height + i / board->width, cell = row * side + stack * board->width + i % board->width;
            if (!board->cells[cell])
                continue;
            if (!is_shared)
                f->share(board, work, band, stack);
            is_shared = 1;
            counts[cell] = f->find_network(board, work, cell) ? f->sum(board, work, budget) : 0;
        }
    }
    f->share(board, work, -1, -1);
    counts[CLUE_CELLS] = f->find_network(board, work, -1) ? f->sum(board, work, budget) : 0;
}

#endif
