/* Stable radix sort that counts the keys once for all digits, and moves them in one launch per digit (A. Adinolfi, D.
 * Merrill, Onesweep, 2022). For devices with the trait groups_progress: see once/look_back.clh.
 *
 * words: a counter of parts per digit; a flag per digit, set if all keys agree in it; counts of keys per value of each
 * digit; then the words that parts publish. All are 0 when a sort begins.
 *
 * A part publishes, for each value of the digit, its own number of keys, then the number up to and including the part:
 * words of a 30-bit number and 2 bits for its kind. The final kind of one digit means "nothing published" for the
 * next. */
#include "prim/fours.clh"
#include "prim/halves.clh"
#include "prim/once/look_back.clh"
#include "prim/sort_tile.clh"

#ifdef GROUP

GROUP_SCAN(scan_counts, count)

#ifdef KEY_64
#define LOAD_FOUR_KEYS load_four_u64
#else
#define LOAD_FOUR_KEYS load_four_u32
#endif

#define MOST_DIGITS ((int)sizeof(key)) /* maximum number of digits */
/* Words per count of keys. */
#ifdef COUNT_64
#define COUNT_WORDS 2
#else
#define COUNT_WORDS 1
#endif
#define COUNTS_AT(digit) (ONCE_HEAD + (digit) * DIGITS * COUNT_WORDS) /* index of a digit's counts in `words` */
#define SAME_AT(digit) (ONCE_HEAD / 2 + (digit)) /* index of the flag that all keys agree in a digit */

#define TOLD_BITS 30                             /* bits of a published number */
#define TOLD_MASK (((u32)1 << TOLD_BITS) - 1)
#define WHICH(word) ((word) >> TOLD_BITS)        /* kind of a published word */
/* Kind `which` for digit number `turn`. Digits alternate between two encodings of 0 (nothing), PART_TOLD and ALL_TOLD:
 * unchanged, or as 2, 3 and 0. */
#define IN_TURN(which, turn) (((which) + 2 * ((turn) & 1)) & 3)
/* Parts that a work-item reads at once. */
#define LOOKS 4

/* Index of a part's published word number `word`; the values of a digit have adjacent words. */
#define TOLD_AT(part, word) (((part) * COUNT_WORDS + (word)) * DIGITS)

/* Publishes a part's number of keys with kind `which`; `at` is the first word of the digit's value. */
INLINE void tell_count(volatile __global u32 *at, const i64 part, const count n, const u32 which)
{
    UNROLL_ALL for (int w = 0; w < COUNT_WORDS; w++)
        ATOMIC_STORE_32(at + TOLD_AT(part, w), which << TOLD_BITS | ((u32)(n >> TOLD_BITS * w) & TOLD_MASK));
}

/* Returns the published number of a part, and its kind in *which: `nothing` if only one of two words is up to date. */
INLINE count ask_count(volatile __global u32 *at, const i64 part, const u32 nothing, __private u32 *which)
{
    u32 word = ATOMIC_LOAD_32(at + TOLD_AT(part, 0));
    count n = word & TOLD_MASK;
    *which = WHICH(word);
#ifdef COUNT_64
    word = ATOMIC_LOAD_32(at + TOLD_AT(part, 1));
    n |= (count)(word & TOLD_MASK) << TOLD_BITS;
    *which = WHICH(word) == *which ? *which : nothing;
#else
    (void)nothing;
#endif
    return n;
}

/* Returns the number of keys in all parts before `part`, which is at least 1, for the digit's value with words at `at`.
 * Waits for parts that have not published theirs. */
INLINE count count_before(volatile __global u32 *at, i64 part, const u32 turn)
{
    const u32 nothing = IN_TURN(0, turn), all = IN_TURN(ALL_TOLD, turn);
    count before = 0;
    for (;;) {
        count n[LOOKS];
        u32 which[LOOKS];
        int told = 1;
        UNROLL_ALL for (int i = 0; i < LOOKS; i++)
            n[i] = ask_count(at, part > i ? part - 1 - i : 0, nothing, which + i);
        UNROLL_ALL for (int i = 0; i < LOOKS; i++) {
            told = told && which[i] != nothing;
            before += told ? n[i] : 0;
            part -= told;
            if (told && which[i] == all)
                return before;
        }
    }
}

/* Adds `times` to the count of key k for each digit. */
#define COUNT_KEY(k, times)                                                                                          \
    for (u32 d = 0; d < digits; d++)                                                                                 \
    (void)ATOMIC_ADD_32(table + d * DIGITS + DIGIT((k) & sorted, d * width, ((u32)1 << width) - 1), times)

/* Counts the keys per value of each digit, four at a time: equal ones need one addition. Only the bits in `sorted_by`
 * matter. */
__kernel void sort_histogram(const __global key *keys, volatile __global u32 *words, const i64 n, const i64 each,
                             const u32 width, const u32 digits, const u64 sorted_by)
{
    SHARED u32 table[MOST_DIGITS * DIGITS];
    const i64 begin = PART_NUMBER * each, end = least_i64(n, begin + each);
    const key sorted = (key)sorted_by;
    i64 i = begin + 4 * ITEM;
    for (int t = ITEM; t < MOST_DIGITS * DIGITS; t += GROUP)
        table[t] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (; i + 4 <= end; i += 4 * GROUP) {
        key k[4];
        LOAD_FOUR_KEYS(keys + i, k);
        if (((k[0] ^ k[1]) | (k[1] ^ k[2]) | (k[2] ^ k[3])) == 0) {
            COUNT_KEY(k[0], 4);
        } else {
            UNROLL_ALL for (int j = 0; j < 4; j++)
                COUNT_KEY(k[j], 1);
        }
    }
    for (; i < end; i++)
        COUNT_KEY(keys[i], 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int t = ITEM; t < (int)digits * DIGITS; t += GROUP) {
        if (table[t] == 0)
            continue;
#ifdef COUNT_64
        halves_add(words + COUNTS_AT(0) + 2 * t, table[t]);
#else
        (void)ATOMIC_ADD_32(words + COUNTS_AT(0) + t, table[t]);
#endif
    }
}

/* Computes where the keys of each value of each digit start, in one group. */
__kernel void sort_starts(__global u32 *words, __global count *starts, const i64 n, const u32 digits)
{
    SHARED count room[2 * GROUP];
    for (u32 digit = 0; digit < digits; digit++) { /* uniform */
        count here[PER_ITEM], sum = 0, total;
        for (int d = 0; d < PER_ITEM; d++) {
            const __global u32 *at = words + COUNTS_AT(digit) + (ITEM * PER_ITEM + d) * COUNT_WORDS;
#ifdef COUNT_64
            here[d] = halves_load(at);
#else
            here[d] = *at;
#endif
            sum += here[d];
            if (here[d] == (count)n)
                words[SAME_AT(digit)] = 1;
        }
        sum = scan_counts(room, sum, &total);
        for (int d = 0; d < PER_ITEM; d++) {
            starts[digit * DIGITS + ITEM * PER_ITEM + d] = sum;
            sum += here[d];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Copies a part's keys and values, for a digit in which all keys agree. The part's words are set as after any other
 * digit, although no part reads them. */
INLINE void copy_part(const __global key *keys, __global key *to, const __global u32 *values, __global u32 *values_to,
                      volatile __global u32 *told, const i64 part, const i64 n, const u32 turn)
{
    for (int d = ITEM; d < DIGITS; d += GROUP)
        tell_count(told + d, part, 0, IN_TURN(ALL_TOLD, turn));
    for (i64 i = part * TILE + ITEM; i < least_i64(n, (part + 1) * TILE); i += GROUP) {
        to[i] = keys[i];
#if VALUE_BYTES > 0
        ((__global value *)values_to)[i] = ((const __global value *)values)[i];
#endif
    }
#if VALUE_BYTES == 0
    (void)values;
    (void)values_to;
#endif
}

/* Stores the keys and values sorted by one digit. */
__kernel void sort_once(const __global key *keys, __global key *to, const __global u32 *values,
                        __global u32 *values_to, volatile __global u32 *words, const __global count *starts,
                        const i64 n, const u32 shift, const u32 mask, const u32 digit, const u32 digits)
{
    SHARED u64 room[ROOM_64];
    SHARED u32 sums[2 * GROUP];
    SHARED count base[DIGITS];
    volatile __global u32 *const told = words + COUNTS_AT(digits);
    IN_LOCAL unsigned short *const in_subgroups = (IN_LOCAL unsigned short *)((IN_LOCAL u32 *)room + 2 * MARKS);
    const i64 part = take_part(words + digit, 0, sums), begin = part * TILE;
    key mine[EACH];
    u32 place[EACH], in_subgroup[PER_ITEM * SUBGROUPS], in_tile[PER_ITEM], start[PER_ITEM];
    if (words[SAME_AT(digit)]) {
        copy_part(keys, to, values, values_to, told, part, n, digit);
        return;
    }
    load_keys(keys, begin, n, mine);
    rank_keys(mine, place, (IN_LOCAL u32 *)room, in_subgroups, shift, mask);
    count_tile(in_subgroups, in_subgroup, in_tile);
    UNROLL_ALL for (int d = 0; d < PER_ITEM; d++) {
        const int value_of = ITEM * PER_ITEM + d;
        if (part > 0)
            tell_count(told + value_of, part, in_tile[d], IN_TURN(PART_TOLD, digit));
        else
            tell_count(told + value_of, part, starts[digit * DIGITS + value_of] + in_tile[d], IN_TURN(ALL_TOLD, digit));
    }
    place_keys(place, in_subgroups, in_subgroup, in_tile, start, sums);
    UNROLL_ALL for (int d = 0; d < PER_ITEM; d++) {
        const int value_of = ITEM * PER_ITEM + d;
        count before = starts[digit * DIGITS + value_of];
        if (part > 0) {
            before = count_before(told + value_of, part, digit);
            tell_count(told + value_of, part, before + in_tile[d], IN_TURN(ALL_TOLD, digit));
        }
        base[value_of] = before - start[d];
    }
    store_tile(mine, place, values, to, values_to, room, base, begin, n, shift, mask);
}

#endif
/* SPDX-License-Identifier: MIT */
