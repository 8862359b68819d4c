/* What got faster or slower since other results, beyond what both vary by. */
#include "tools/bench/bench.h"

#define LEAST_CHANGE 1.1         /* a factor below which nothing is said */
#define ROUNDS_LEAST 3

struct changes { struct node *table; size_t rows, few, faster, slower; double chance; };

/* How likely all of n numbers are below, or all above, all of m others of the same kind: 2 n! m! / (n + m)!. */
static double chance_of(size_t n, size_t m)
{
    double chance = 2;

    for (size_t i = 1; i <= m; i++)
        chance *= (double)i / (double)(n + i);
    return chance < 1 ? chance : 1;
}

static int compare_pair(struct pair *p, void *context)
{
    struct changes *c = context;
    struct node *row;

    c->rows++;
    if (p->now_count < ROUNDS_LEAST || p->before_count < ROUNDS_LEAST) {
        c->few++;
        return 0;
    }
    c->chance += chance_of(p->now_count, p->before_count);
    const struct spread now = spread_of(p->now, p->now_count), before = spread_of(p->before, p->before_count);
    const double ratio = now.median / before.median;
    const bool slower = now.least > before.most && ratio > LEAST_CHANGE;
    const bool faster = now.most < before.least && ratio < 1 / LEAST_CHANGE;
    if (!slower && !faster)
        return 0;
    c->slower += slower;
    c->faster += faster;
    row = put_object(c->table, NULL);
    say_value_cell(put_text(row, "suite", p->suite), PLAIN);
    say_cell(put_real(row, "x", p->x), PLAIN, "%.6g", p->x);
    say_value_cell(put_text(row, "device", p->device), PLAIN);
    say_value_cell(put_text(row, "variant", p->variant), PLAIN);
    say_cell(put_real(row, "ratio", ratio), slower ? RED : GREEN, "%.2f", ratio);
    return 0;
}

int document_changes(const struct document *document, const char *path, struct node *to)
{
    struct node *section = put_section(to, "since %s", path);
    struct changes c = { .table = put_table(section, "changes", "suite|>x|device|variant|>seconds, to before") };
    int rc;

    TRY(document_each_pair(document, path, compare_pair, &c));
    ROW(section, "compared", "%zu rows: %zu faster, %zu slower, all runs by all of before and by more than %.0f %%",
        c.rows - c.few, c.faster, c.slower, 100 * (LEAST_CHANGE - 1));
    ROW(section, "by chance", "at most %.2g, were nothing changed and all runs alike", c.chance);
    if (c.few)
        ROW(section, "left out", "%zu with fewer than %d rounds: give --rounds %d or more", c.few, ROUNDS_LEAST,
            2 * ROUNDS_LEAST);
out:
    return rc;
}
