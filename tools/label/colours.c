/* Colours of components: a permutation of all 2^24 colours, so labels below 2^24 have distinct ones.
 *
 * The cube of colours is cut into 512 cells, 8 along each channel.  Consecutive labels, often those of neighbours,
 * advance by the golden section along a Morton curve through the cells, which keeps their colours apart.  After each
 * round through all cells the next place within the cells is used, from their middle outwards.  Cells near black and
 * near white, the colours of background and of the largest component, come last. */
#include "tools/label/label.h"

#define CELL_BITS 9
#define CELLS (1u << CELL_BITS)
#define PLACES (1u << 15) /* colours per cell */
#define COLOURS (CELLS * PLACES)
#define BLACK 0u
#define WHITE (COLOURS - 1)
#define DARK 2   /* cells with a sum of channels (each 0 to 7) up to this come last */
#define LIGHT 20 /* and from this on */

/* Collects every third bit from the lowest on, in reverse order: of `bits` bits the lowest becomes the highest. */
static unsigned channel_of(unsigned value, unsigned channel, unsigned bits)
{
    unsigned found = 0;
    for (unsigned i = 0; i < bits; i++)
        found = found << 1 | (value >> (3 * i + channel) & 1);
    return found;
}

static unsigned reversed(unsigned value, unsigned bits)
{
    unsigned turned = 0;
    for (unsigned i = 0; i < bits; i++)
        turned = turned << 1 | (value >> i & 1);
    return turned;
}

static bool comes_last(unsigned cell)
{
    unsigned sum = 0;
    for (unsigned c = 0; c < 3; c++)
        sum += channel_of(reversed(cell, CELL_BITS), c, CELL_BITS / 3);
    return sum <= DARK || sum >= LIGHT;
}

/* Returns a step that is coprime to n and near its golden section. */
static unsigned golden_step(unsigned n)
{
    unsigned step = (unsigned)(0.6180339887 * n);
    for (;; step--) {
        unsigned a = n, b = step;
        while (b) {
            const unsigned rest = a % b;
            a = b;
            b = rest;
        }
        if (a == 1)
            return step;
    }
}

void colours_begin(struct colours *colours, uint64_t largest)
{
    unsigned first = 0, last = CELLS;
    for (unsigned cell = 0; cell < CELLS; cell++)
        colours->cell[comes_last(cell) ? --last : first++] = (uint16_t)cell;
    colours->first = first;
    colours->step[0] = golden_step(first);
    colours->step[1] = golden_step(CELLS - first);
    colours->largest = largest;
}

static unsigned colour_at(const struct colours *colours, unsigned i)
{
    const bool later = i >= colours->first * PLACES;
    const unsigned at = later ? i - colours->first * PLACES : i;
    const unsigned cells = later ? CELLS - colours->first : colours->first;
    const unsigned cell = colours->cell[(later ? colours->first : 0) + (at + 1) % cells * colours->step[later] % cells];
    unsigned colour = 0;
    for (unsigned c = 0; c < 3; c++) {
        const unsigned high = channel_of(reversed(cell, CELL_BITS), c, 3), low = channel_of(at / cells, c, 5);
        colour = colour << 8 | high << 5 | (low ^ 16);
    }
    return colour;
}

/* Black and white are reserved.  The label that would be white gets the unused colour of the largest component.  The
 * last colour, which no label below 2^24 has, replaces black. */
void colours_of(const struct colours *colours, uint64_t label, unsigned char *rgb)
{
    unsigned colour = label == 0                  ? BLACK
                      : label == colours->largest ? WHITE
                                                  : colour_at(colours, (unsigned)((label - 1) % COLOURS));
    if (label != 0 && label != colours->largest) {
        if (colour == WHITE)
            colour = colour_at(colours, (unsigned)((colours->largest - 1) % COLOURS));
        if (colour == BLACK)
            colour = colour_at(colours, COLOURS - 1);
    }
    for (unsigned c = 0; c < 3; c++)
        rgb[c] = (unsigned char)(colour >> (16 - 8 * c));
}
/* SPDX-License-Identifier: MIT */
