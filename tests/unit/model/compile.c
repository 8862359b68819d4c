/* The compiler of field models: the text that it writes, and the message with line and column for each mistake. */
#include "tests/unit/model/parse.h"

#define HEAD "//@ model test \"equation\"\n//@ field c noise=0.5 mean=-1e-1\n"

/* A model after HEAD and a parameter `a`, and its compiled text, without the functions that are the same. */
static const struct {
    const char *text, *compiled;
} compiled[] = {
    /* Order and grouping of operations are the author's; scalars become vectors where a vector is needed. */
    { "RATE(c) { return P(a) * 2; }", "RATE(f_c)\n{\n    return splat((P(p_a) * R(2.0)));\n}\n" },
    { "rate(c) = 1 - c - a*c*a;", "RATE(f_c)\n{\n    const realv t1 = AT(f_c);\n"
                                  "    return ((R(1.0) - t1) - ((P(p_a) * t1) * P(p_a)));\n}\n" },
    { "rate(c) = -c^2;", "RATE(f_c)\n{\n    const realv t0 = AT(f_c);\n    return (-(t0 * t0));\n}\n" },
    { "rate(c) = 2^-3 * c;", "RATE(f_c)\n{\n    return (R(0.125) * AT(f_c));\n}\n" },
    { "rate(c) = .5f * c + 1e-3;", "RATE(f_c)\n{\n    return ((R(.5) * AT(f_c)) + R(1e-3));\n}\n" },
    { "rate(c) = c^-a;", "RATE(f_c)\n{\n    return math_pow(AT(f_c), splat((-P(p_a))));\n}\n" },
    { "rate(c) = c / a;", "RATE(f_c)\n{\n    return math_divide(AT(f_c), splat(P(p_a)));\n}\n" },
    { "rate(c) = lap(a/2 * c) / -4;", "RATE(f_c)\n{\n    return (((P(p_a) * R(0.5)) * LAP(f_c)) * R(-0.25));\n}\n" },
    /* Conditions: one for all cells, and one per cell. */
    { "rate(c) = a > 1 ? 1 : lap(c);",
      "RATE(f_c)\n{\n    return ((R(1.0) < P(p_a)) ? splat(R(1.0)) : LAP(f_c));\n}\n" },
    { "rate(c) = c > a && a != 0 ? 1 : c;",
      "RATE(f_c)\n{\n    const realv t0 = AT(f_c);\n    return math_select(math_and(math_less(splat(P(p_a)), t0), "
      "math_true(splat(!(P(p_a) == R(0.0)) ? R(1.0) : R(0.0)))), splat(R(1.0)), t0);\n}\n" },
    { "RATE(c) { real w = a; if (c < 0) { w = 2; } else w *= 3; return w; }",
      "RATE(f_c)\n{\n    return math_select(math_less(AT(f_c), splat(R(0.0))), splat(R(2.0)), "
      "splat((P(p_a) * R(3.0))));\n}\n" },
    { "RATE(c) { if (c < 0) return 0; if (a < 0) return 1; return c; }",
      "RATE(f_c)\n{\n    const realv t0 = AT(f_c);\n    const lanesv t2 = math_less(t0, splat(R(0.0)));\n"
      "    return math_select(math_or(t2, math_true(splat((P(p_a) < R(0.0)) ? R(1.0) : R(0.0)))), math_select(t2, "
      "splat(R(0.0)), splat(R(1.0))), t0);\n}\n" },
    /* Functions and named values are compiled where they are used. */
    { "twice(x) = x / 3 * k;\nk = 4 * c;\nrate(c) = twice(a);",
      "RATE(f_c)\n{\n    return (math_divide(splat(P(p_a)), splat(R(3.0))) * (R(4.0) * AT(f_c)));\n}\n" },
    { "INLINE realv f(const realv x, real y) { real w = x; w += y; return w; }\nrate(c) = f(c, 1);",
      "RATE(f_c)\n{\n    return (AT(f_c) + R(1.0));\n}\n" },
    /* Operators of expressions make stages, one per expression; numeric factors stay outside. */
    { "rate(c) = lap(a * c);", "RATE(f_c)\n{\n    return (P(p_a) * LAP(f_c));\n}\n" },
    { "mu = c^2 - lap(c);\nrate(c) = lap(mu) + grad_x(mu);",
      "STAGE(s_0)\n{\n    const realv t0 = AT(f_c);\n    return ((t0 * t0) - LAP(f_c));\n}\n"
      "RATE(f_c)\n{\n    return (LAP(s_0) + GRAD_X(s_0));\n}\n" },
    { "rate(c) = div(grad(c)) + div(a * grad(c)) + div(c^2 * grad(c)) - dot(grad(c), 2 * grad(c));",
      "STAGE(s_0)\n{\n    const realv t0 = AT(f_c);\n    return (t0 * t0);\n}\n"
      "RATE(f_c)\n{\n    const realv t1 = LAP(f_c);\n"
      "    return (((t1 + (P(p_a) * t1)) + DIV_GRAD(s_0, f_c)) - (R(2.0) * GRAD2(f_c)));\n}\n" },
    /* The host computes the volume of the mesh. */
    { "rate(c) = integral(a) * lap(c);", "RATE(f_c)\n{\n    return (P(h_0) * LAP(f_c));\n}\n" },
    { "rate(c) = differences(3) + lap(3) + grad2(a) + avg(2);", "RATE(f_c)\n{\n    return splat(R(2.0));\n}\n" },
    /* Names that macros of the kernels use for their own. */
    { "//@ param X 1 \"\"\n//@ param t0 1 \"\"\n//@ field f_c\nrate(c) = X * t0;\nrate(f_c) = 0;",
      "RATE(f_c)\n{\n    return splat((P(p_X) * P(p_t0)));\n}\nRATE(f_f_c)\n{\n    return splat(R(0.0));\n}\n" },
    /* The functional derivative. */
    { "energy = a/2 * c^2 - c * lap(c) / 2;\nrate(c) = -variation(c);", NULL },
    { "energy = max(c, 1, -c) + min(c, a);\nrate(c) = variation(c);", NULL },
};

static void models_are_compiled(void **unused)
{
    for (size_t i = 0; i < MW_COUNT(compiled); i++) {
        struct mw_text text = { 0 };
        mw_text_add(&text, "%s//@ param a 1 \"\"\n%s", HEAD, compiled[i].text);
        struct mw_model *m = parse(text.data);
        char *end = strstr(m->text, "/* test */");
        assert_non_null(end);
        *end = 0;
        if (compiled[i].compiled)
            assert_string_equal(m->text, compiled[i].compiled);
        mw_model_free(m);
        mw_text_free(&text);
    }
}

#define SPIN "//@ model m \"e\"\n//@ spin s signs\n"
static const struct {
    const char *text, *message;
} slips[] = {
    { "", "test.cl:1:1: no //@ model line: this is not a model file" },
    { "int main(void) { return 0; }", "test.cl:1:1: no //@ model line: this is not a model file" },
    { "//@ model m \"e\"\n", "test.cl:1:1: no //@ field line, and no //@ spin line" },
    { "//@ model m\n", "test.cl:1:12: expected a text in double quotes" },
    { "//@ model\n", "test.cl:1:10: expected the model's name" },
    { "//@ model m \"e\n", "test.cl:1:13: the text has no closing quote" },
    { "//@ model m \"e\"\n//@ model n \"e\"\n", "test.cl:2:11: a second //@ model line" },
    { HEAD, "test.cl:1:1: no rate for the field c" },
    { HEAD "//@ fields d\n",
      "test.cl:3:5: expected model, about, param, field, map, noise, dt, conserve, replace, spin, bond, site or "
      "start after //@" },
    { HEAD "//@ field 2d\n", "test.cl:3:11: expected a name (letters, digits, '_')" },
    { HEAD "//@ field d noise=\n", "test.cl:3:19: expected a finite number" },
    { HEAD "//@ field d noise=nan\n", "test.cl:3:19: expected a finite number" },
    { HEAD "//@ field d colour=3\n", "test.cl:3:13: expected complex, noise=NUMBER, mean=NUMBER or outside=NUMBER" },
    { HEAD "//@ field c\n", "test.cl:3:11: declared twice: c" },
    { HEAD "//@ param LAP 1 \"\"\n", "test.cl:3:11: LAP is reserved (words of capitals belong to the model language)" },
    { HEAD "//@ param a_name_of_far_too_many_characters 1 \"\"\n",
      "test.cl:3:11: names have at most 31 characters: a_name_of_far_too_many_characters" },
    { HEAD "//@ param a \"\"\n", "test.cl:3:13: expected a finite number" },
    { HEAD "//@ dt\n7 RATE(c) { return AT(c); }\n", "test.cl:3:7: expected a finite number" },
    { HEAD "//@ param a 1 \"\" more\n", "test.cl:3:18: unexpected text at the end of this line" },
    { HEAD "//@ dt 0\n", "test.cl:3:9: dt must be positive" },
    { HEAD "//@ conserve d\n", "test.cl:3:14: conserve needs the name of a field declared above" },
    { HEAD "\nRATE(d) { return AT(c); }", "test.cl:4:6: no //@ field line declares 'd'" },
    { HEAD "RATE(c) { return 0; }\nRATE(c) { return 0; }", "test.cl:4:6: a second rate of 'c'" },
    { HEAD "RATE(c) {\n\n return LAP(d); }",
      "test.cl:5:13: unknown name 'd': not a field, map, stage, parameter or variable" },
    { HEAD "#define D(x) \\\n LAP(x)\n",
      "test.cl:3:1: models have no preprocessor: write a function, or NAME = EXPRESSION;" },
    { HEAD "RATE(c) { double r = AT(c); return r; }",
      "test.cl:3:11: type 'double': the only type is real, the precision of the run" },
    { HEAD "STAGE(c) { return 0; }", "test.cl:3:7: declared twice: c" },
    { HEAD "STAGE(p) { return LAP(p); }", "test.cl:3:23: the definition of 'p' refers to itself" },
    { HEAD "STAGE(p) { return AT(c); }\nRATE(c) { return AT(c); }", "test.cl:3:7: nothing uses the stage 'p'" },
    { HEAD "//@ field psi complex\n//@ field psi_im\n", "test.cl:4:11: declared twice: psi_im" },
    { HEAD "//@ field psi complex\n//@ param psi 1 \"\"\n", "test.cl:4:11: declared twice: psi" },
    { HEAD "//@ param d_re 1 \"\"\n//@ field d complex\n", "test.cl:4:20: declared twice: d_re" },
    { HEAD "//@ field d complexity\n", "test.cl:3:13: expected complex, noise=NUMBER, mean=NUMBER or outside=NUMBER" },
    { HEAD "//@ field a_name_of_twenty_nine_letters complex\n",
      "test.cl:3:48: names have at most 31 characters: a_name_of_twenty_nine_letters_re" },
    { HEAD "//@ field psi complex\nRATE(c) { return\nAT(psi); }",
      "test.cl:4:6: expected a real value at 'c': use re(z), im(z) or abs2(z)" },
    { HEAD "//@ field half\n", "test.cl:3:11: half is reserved (a word of C, OpenCL C or C++)" },
    { HEAD "//@ param int 1 \"\"\n", "test.cl:3:11: int is reserved (a word of C, OpenCL C or C++)" },
    { HEAD "//@ noise float4 \"\"\n", "test.cl:3:11: float4 is reserved (a word of C, OpenCL C or C++)" },
    { HEAD "STAGE(for) { return AT(c); }", "test.cl:3:7: for is reserved (a word of C, OpenCL C or C++)" },
    { HEAD "//@ param time 1 \"\"\n", "test.cl:3:11: time is reserved (time of the run)" },
    { HEAD "//@ field x\n", "test.cl:3:11: x is reserved (coordinate along x)" },
    { HEAD "//@ map r 1 \"\"\n", "test.cl:3:9: r is reserved (distance from the first cell)" },
    { HEAD "//@ noise lap \"\"\n", "test.cl:3:11: lap is reserved (operator)" },
    { HEAD "//@ field i complex\n", "test.cl:3:11: i is reserved (imaginary unit)" },
    { HEAD "rate(c) = c;\nlength_z = 2;", "test.cl:4:1: length_z is reserved (length of the mesh along z)" },
    { HEAD "rate(c) = c;\nsin(x) = x;", "test.cl:4:1: sin is reserved (function)" },
    { HEAD "rate(c) = c;\nstage(mean) = c;", "test.cl:4:7: mean is reserved (function)" },
    { HEAD "rate(c) = c;\nf(pi) = pi;", "test.cl:4:3: pi is reserved (3.14159...)" },
    { HEAD "rate(c) { real d, y = 2; return y; }", "test.cl:3:19: y is reserved (coordinate along y)" },
    { HEAD "//@ param GRAD2 1 \"\"\n",
      "test.cl:3:11: GRAD2 is reserved (words of capitals belong to the model language)" },
    { HEAD "//@ param R 1 \"\"\n", "test.cl:3:11: R is reserved (words of capitals belong to the model language)" },
    { HEAD "//@ noise n\n", "test.cl:3:12: expected a text in double quotes" },
    { HEAD "//@ noise c \"\"\n", "test.cl:3:11: declared twice: c" },
    { HEAD "//@ noise n amplitude=a \"\"\nRATE(c) { return NOISE(n); }", "test.cl:3:11: no //@ param line declares a" },
    { HEAD "//@ noise n \"\"\n//@ field n\n", "test.cl:4:11: declared twice: n" },
    { HEAD "\n//@ noise n \"\"\nRATE(c) { return AT(c); }", "test.cl:4:11: nothing uses the noise n" },
    { HEAD "RATE(c) { return NOISE(c); }", "test.cl:3:24: no //@ noise line declares 'c'" },
    { HEAD "RATE(c) { return RANDOM(1); }", "test.cl:3:25: no //@ noise line declares '1'" },
    { HEAD "//@ noise n \"\"\nRATE(c) { return LAP(n); }",
      "test.cl:4:22: 'n' is a noise term: write noise(NAME) or random(NAME)" },
    { HEAD "//@ noise n \"\"\nENERGY() { return NOISE(n); }", "test.cl:4:19: an energy cannot contain noise: 'NOISE'" },
    { HEAD "ENERGY(c) { return AT(c); }", "test.cl:3:8: an energy has no argument 'c'" },
    { HEAD "ENERGY() { return AT(c); }\nENERGY() { return AT(c); }", "test.cl:4:1: a second 'ENERGY'" },
    { HEAD "RATE(c)\n{ return P(a) *\nP( b ) * AT(c); }\n//@ param a 1 \"\"\n",
      "test.cl:5:4: no //@ param line declares 'b'" },
    { HEAD "RATE(c)\n{ return\nAT(c); { }\n\n", "test.cl:4:1: this '{' is not closed" },
    { HEAD "//@ field d\nRATE(d) { return\nAT(c);\nRATE(c) { return AT(c); }\n",
      "test.cl:4:9: this '{' is not closed" },
    { HEAD "RATE(c) { return AT(c); }\n}\n",
      "test.cl:4:1: expected a definition, such as rate(NAME) = ..., found '}'" },
    { HEAD "#define D(x) GRAD2(x)\n",
      "test.cl:3:1: models have no preprocessor: write a function, or NAME = EXPRESSION;" },
    { HEAD "//@ spin s signs\n",
      "test.cl:3:9: a model declares either fields or spins: this line belongs to the other kind" },
    { SPIN "//@ dt 1\n", "test.cl:3:7: a model declares either fields or spins: this line belongs to the other kind" },
    { SPIN "//@ spin t signs\n", "test.cl:3:9: a second //@ spin line" },
    { SPIN "", "test.cl:1:1: expected PAIR (energy of two neighbours) or RULE (new value of a spin)" },
    { SPIN "PAIR(s, t) { return R(0.0); }", "test.cl:1:1: expected //@ param T (temperature), or a RULE" },
    { SPIN "PAIR(s, t) { return R(0.0); }\nPAIR(s, t) { return R(0.0); }", "test.cl:4:5: defined twice: PAIR" },
    { SPIN "//@ bond b gaussian \"\"\n", "test.cl:3:12: expected sign, normal or uniform" },
    { SPIN "//@ site b sign \"\"\nPAIR(s, t) { return BOND(b); }", "test.cl:4:28: no //@ bond line declares b" },
    { SPIN "//@ site s sign \"\"\n", "test.cl:3:10: declared twice: s" },
    { "//@ model m \"e\"\n//@ spin s label 3\n",
      "test.cl:2:12: expected signs, whole LEAST MOST, labels COUNT, clock COUNT, angle or vector" },
    { "//@ model m \"e\"\n//@ spin s labels\n", "test.cl:2:18: expected a finite number" },
    { "//@ model m \"e\"\n//@ spin s labels 129\n",
      "test.cl:2:22: the number of kinds or directions must be an integer from 1 to 128" },
    { "//@ model m \"e\"\n//@ spin s clock 0\n",
      "test.cl:2:19: the number of kinds or directions must be an integer from 1 to 128" },
    { "//@ model m \"e\"\n//@ spin s whole 0 128\n",
      "test.cl:2:23: the bounds of a spin must be integers from -128 to 127" },
    { SPIN "#define GAIN(j) \\\n LOCAL_OF(j)\n", "test.cl:4:2: not allowed in macros: LOCAL_OF" },
    { "//@ model m \"e\"\n//@ spin s labels q\nRULE(s) { return s; }", "test.cl:2:19: no //@ param line declares q" },
    { HEAD "rate(c) = lap(c", "test.cl:3:16: expected ')', found 'the end'" },
    { HEAD "rate(c) = c +* 2;", "test.cl:3:14: expected a value, found '*'" },
    { HEAD "rate(c) = c\n  + ;", "test.cl:4:5: expected a value, found ';'" },
    { HEAD "rate(c) = (c + 1;", "test.cl:3:17: expected ')', found ';'" },
    { HEAD "rate(c) = c + 1)\n;", "test.cl:3:16: expected ';', found ')'" },
    { HEAD "rate(c) = exp(c, 2);", "test.cl:3:11: 'exp' takes 1 argument, not 2" },
    { HEAD "rate(c) = atan2(c);", "test.cl:3:11: 'atan2' takes 2 arguments, not 1" },
    { HEAD "rate(c) = max(c);", "test.cl:3:11: 'max' takes 2 arguments, not 1" },
    { HEAD "rate(c) = expo(c);", "test.cl:3:11: no function has the name 'expo'" },
    { HEAD "rate(c) = 2 * sin;", "test.cl:3:15: 'sin' is a function: give its arguments in parentheses" },
    { HEAD "rate(c) = lap(c, c);", "test.cl:3:11: 'lap' takes one argument" },
    { HEAD "rate(c) = dot(c, c);", "test.cl:3:11: 'dot' takes two vectors: grad(f), m * grad(f), or sums of these" },
    { HEAD "rate(c) = div(c);", "test.cl:3:11: 'div' takes a vector: grad(f), m * grad(f), or a sum of these" },
    { HEAD "rate(c) = grad(c);", "test.cl:3:6: expected a value at 'c', not a vector: use div or dot" },
    { HEAD "rate(c) = grad(c) + c;", "test.cl:3:19: '+' of a vector and a value" },
    { HEAD "rate(c) = grad(c) * grad(c);", "test.cl:3:19: expected a value at '*', not a vector: use div or dot" },
    { HEAD "rate(c) = c < 1 < 2;", "test.cl:3:17: join comparisons by &&: a < b && b < c, not a < b '<' c" },
    { HEAD "rate(c) = i * c;", "test.cl:3:6: expected a real value at 'c': use re(z), im(z) or abs2(z)" },
    { HEAD "rate(c) = exp(i * c);", "test.cl:3:11: expected a real value at 'exp': use re(z), im(z) or abs2(z)" },
    { HEAD "rate(c) = (1 + i) < c;", "test.cl:3:19: '<' is not defined for complex values" },
    { HEAD "rate(c) = c ? grad(c) : grad(c);", "test.cl:3:13: '?' cannot choose between vectors" },
    { HEAD "rate(c) = 1.2.3 * c;", "test.cl:3:11: invalid number (a product needs *: 2 * u)" },
    { HEAD "rate(c) = 0x10 * c;", "test.cl:3:11: invalid number (a product needs *: 2 * u)" },
    { HEAD "rate(c) = 1e999 * c;", "test.cl:3:11: the number '1e999' is too large" },
    { HEAD "rate(c) = 2c;", "test.cl:3:11: invalid number (a product needs *: 2 * u)" },
    { HEAD "rate(c) = 2 + c ** 3;", "test.cl:3:18: a power is written a ^ b, not with two '*'" },
    { HEAD "//@ field p complex\nrate(c) = c;\nrate(p) = p^a;\n//@ param a 2 \"\"",
      "test.cl:5:12: '^': the exponent of a complex value must be a whole number, 1 to 64" },
    { HEAD "//@ map D 1 \"\"\nw = sin(time);\nrate(c) = c * w;\nmap(D) = w;",
      "test.cl:6:5: 'D': a map cannot depend on the time: multiply it by the time in the rate" },
    { HEAD "w = lap(c);\nrate(c) = w;\nstart(c) = w;",
      "test.cl:5:7: 'c': a start or map cannot read fields, maps or noise, directly or by a name" },
    { HEAD "rate(c) = c % 2;", "test.cl:3:13: unexpected character" },
    { HEAD "rate(c) = c[1];", "test.cl:3:12: unexpected character" },
    { HEAD "rate(c) = variation(c);", "test.cl:3:11: 'variation' needs an energy: energy = ..." },
    { HEAD "energy = c^2;\nrate(c) = variation(d);", "test.cl:4:21: variation takes the name of a field, not 'd'" },
    { HEAD "energy = floor(c);\nrate(c) = variation(c);",
      "test.cl:4:11: 'variation': the derivative of floor in the energy is unknown" },
    { HEAD "energy = variation(c);\nrate(c) = c;", "test.cl:3:10: the definition of 'variation' refers to itself" },
    { HEAD "mu = 2 * mu;\nrate(c) = mu;", "test.cl:3:10: the definition of 'mu' refers to itself" },
    { HEAD "p = q;\nq = lap(p);\nrate(c) = q;", "test.cl:4:9: the definition of 'p' refers to itself" },
    { HEAD "f(x) = f(x - 1);\nrate(c) = f(c);", "test.cl:3:8: the function 'f' calls itself" },
    { HEAD "f(x) = x;\nrate(c) = f();", "test.cl:4:11: too few arguments for the function 'f'" },
    { HEAD "f(x) = x;\nrate(c) = f(c, c);", "test.cl:4:14: expected ')' after the function's arguments, found ','" },
    { HEAD "f(x) = x;\nrate(c) = f * c;", "test.cl:4:11: 'f' is a function: give its arguments in parentheses" },
    { HEAD "f(2) = 3;\nrate(c) = c;", "test.cl:3:3: expected the name of an argument, found '2'" },
    { HEAD "c(x) = x;\nrate(c) = c;", "test.cl:3:1: declared twice: c" },
    { HEAD "RATE(c) { c = 2; return c; }", "test.cl:3:11: 'c' is not a variable: declare it as real" },
    { HEAD "RATE(c) { real d; return d * c; }", "test.cl:3:26: 'd' has no value yet" },
    { HEAD "RATE(c) { real d; d += 1; return d * c; }", "test.cl:3:19: 'd' has no value yet" },
    { HEAD "RATE(c) { real d; if (c > 0) d = 1; return d * c; }", "test.cl:3:44: 'd' has no value yet" },
    { HEAD "RATE(c) { if (c > 0) return 1; }", "test.cl:3:6: 'c' does not return a value in all cases" },
    { HEAD "RATE(c) { return 1; return 2; }", "test.cl:3:21: 'return' is after a return" },
    { HEAD "RATE(c) { c + 1; }", "test.cl:3:11: expected a statement, found 'c'" },
    { HEAD "RATE(c) { for (;;) c += 1; }", "test.cl:3:11: 'for': models have no loops or jumps: write the terms out" },
    { HEAD "RATE(c) { if c > 0 return 1; return 0; }", "test.cl:3:14: expected '(', found 'c'" },
    { HEAD "RATE(c) { int n = 2; return n * c; }",
      "test.cl:3:11: type 'int': the only type is real, the precision of the run" },
    { HEAD "RATE(c) { real 2x = 1; return c; }", "test.cl:3:16: invalid number (a product needs *: 2 * u)" },
    { HEAD "RATE(c) { return c }", "test.cl:3:20: expected ';', found '}'" },
    { HEAD "/* open\nrate(c) = c;", "test.cl:3:1: this comment is not closed" },
    { HEAD "rate(c) = c; $\n", "test.cl:3:14: unexpected character" },
    { HEAD "rate(c) c;", "test.cl:3:9: expected '=', found 'c'" },
    { HEAD "RATE { return 0; }", "test.cl:3:1: RATE is reserved (words of capitals belong to the model language)" },
    { HEAD "stage(s) = c;\nstage(s) = c;\nrate(c) = s;", "test.cl:4:7: declared twice: s" },
    { HEAD "f(a) { real v = grad(a); if (a > 0) v = 3 * grad(a); return div(v); }\nrate(c) = f(c);",
      "test.cl:3:26: 'if' cannot choose between vectors" },
    { HEAD "f(a, a) = a;\nrate(c) = f(c, c);", "test.cl:3:6: a second argument 'a'" },
    { HEAD "rate(c) = im(grad(c));", "test.cl:3:11: expected a value at 'im', not a vector: use div or dot" },
    { HEAD "energy = c * mean(c); rate(c) = c;", "test.cl:3:14: 'mean' cannot be part of an energy" },
    { HEAD "w = mean(c);\nenergy = c * w;\nrate(c) = -variation(c);",
      "test.cl:4:1: an energy cannot contain means or integrals, directly or by a name: 'energy'" },
    { HEAD "w = lap(max(c, integral(c)));\nenergy = c * w;\nrate(c) = c;",
      "test.cl:4:1: an energy cannot contain means or integrals, directly or by a name: 'energy'" },
    { HEAD
      "//@ field p complex\nm(k) = mean(c + k);\nrate(c) = m(1) + m(2) + m(3) + m(4) + m(5) + m(6) + m(7) + m(8) + "
      "m(9) + m(10) + m(11) + m(12) + m(13) + m(14) + m(15);\nrate(p) = mean(p);",
      "test.cl:6:11: too many means and integrals at 'mean' (at most 16)" },
    { HEAD "rate(c) = c; start(c) = mean(x) + mean(c);",
      "test.cl:3:40: 'c': a start or map cannot read fields or maps" },
    { HEAD "rate(c) = c; boundary(d) = value(1);", "test.cl:3:23: no //@ field line declares 'd'" },
    { HEAD "rate(c) = c; boundary(c, left) = value(1);",
      "test.cl:3:26: 'left' is not a side: expected x_low, x_high, x (both), and so for y and z, or hole" },
    { HEAD "rate(c) = c; boundary(c, hole) = value(1);",
      "test.cl:3:23: the condition of 'c' at a hole needs a domain: domain = EXPRESSION;" },
    { HEAD "rate(c) = c; domain = x > 1; boundary(c, hole) = slope(1);",
      "test.cl:3:50: expected value(V) or outside(V) at a hole (default: no flux), found 'slope'" },
    { HEAD "rate(c) = c; domain = c > 1;", "test.cl:3:23: 'c': a start or map cannot read fields or maps" },
    { HEAD "rate(c) = c; domain = 1; domain = 0;", "test.cl:3:26: a second map of 'domain'" },
    { HEAD "rate(c) = c; boundary(c, x) = 1;", "test.cl:3:31: expected value(V), slope(S) or outside(V), found '1'" },
    { HEAD "rate(c) = c; boundary(c, x) = value(c);",
      "test.cl:3:23: a boundary condition of 'c' cannot read fields or noise; its slope may be linear in the field "
      "itself" },
    { HEAD "rate(c) = c; boundary(c, x) = slope(c*c);",
      "test.cl:3:23: the slope of 'c' at a boundary must be linear in the field" },
    { HEAD "rate(c) = c; boundary(c, x) = value(1); boundary(c, x) = value(2);",
      "test.cl:3:50: a second boundary condition of 'c' at the same side" },
    { HEAD "rate(c) = c;\n//@ replace\nboundary(c, x) = value(1); boundary(c, x) = value(2);",
      "test.cl:5:37: a second boundary condition of 'c' at the same side, in "
      "'boundary(c, x) = value(1); boundary(c, x) = value(2);'" },
    { HEAD "rate(c) = c; boundary(c, x) = value(1) + 1;",
      "test.cl:3:40: a boundary condition ends with its parenthesis, found '+'" },
    { HEAD "rate(c) = c;\nstart(c) = lap(x);",
      "test.cl:4:12: 'lap': a start or map cannot read fields, maps or noise" },
    { HEAD "//@ map D 1 \"\"\nrate(c) = c;\nmap(D) = c;",
      "test.cl:5:10: 'c': a start or map cannot read fields or maps" },
    { HEAD "//@ map D 1 \"\"\nrate(c) = c;\nmap(D) = 1;\nmap(D) = 2;", "test.cl:6:5: a second map of 'D'" },
    { HEAD "//@ map c 1 \"\"\nrate(c) = c;", "test.cl:3:9: declared twice: c" },
    { HEAD "rate(c) = c;\nmap(c) = 1;", "test.cl:4:5: no //@ map line declares 'c'" },
    { "//@ model m \"\"\n//@ map D 1 \"\"\n", "test.cl:1:1: no //@ field line" },
    { HEAD "rate(c) = noise * c;",
      "test.cl:3:11: unknown name 'noise': not a field, map, stage, parameter or variable" },
    { HEAD "rate(c) = c;\nstart(d) = 1;", "test.cl:4:7: no //@ field line declares 'd'" },
    { HEAD "rate = c;", "test.cl:3:1: 'rate' needs the name of a field in parentheses" },
    { HEAD "rate(c) = c;\nfor = 2;", "test.cl:4:1: for is reserved (a word of C, OpenCL C or C++)" },
    { HEAD "//@ noise n \"\"\nrate(c) = n;", "test.cl:4:11: 'n' is a noise term: write noise(NAME) or random(NAME)" },
    { HEAD "//@ noise n \"\"\nrate(c) = noise(n + 1);", "test.cl:4:19: expected ')', found '+'" },
    { HEAD "//@ noise n \"\"\nrate(c) = div_noise(n);", "test.cl:4:22: expected ',', found ')'" },
    { HEAD "//@ noise n \"\"\nrate(c) = div_noise(n, c);", "test.cl:4:24: no //@ noise line declares 'c'" },
    { HEAD "//@ noise n \"\"\nrate(c) = div_noise(n, n);",
      "test.cl:4:24: div_noise takes two different noise terms, not 'n' twice" },
    { HEAD "//@ noise n \"\"\nrate(c) = c;\nenergy = div_noise(n, n);",
      "test.cl:5:10: an energy cannot contain noise: 'div_noise'" },
    { HEAD "//@ noise n \"\"\nrate(c) = c;\nstart(c) = div_noise(n, n);",
      "test.cl:5:12: 'div_noise': a start or map cannot read fields, maps or noise" },
    { HEAD "//@ noise n \"\"\nrate(c) = c * noise(n);\nw = noise(n);\nenergy = w;",
      "test.cl:6:1: an energy cannot contain noise, directly or by a stage: 'energy'" },
    { HEAD "//@ noise n \"\"\nenergy = AT(q);\nstage(q) = noise(n);\nrate(c) = c;",
      "test.cl:4:1: an energy cannot contain noise, directly or by a stage: 'energy'" },
};

static void slips_are_named_with_their_place(void **unused)
{
    for (size_t i = 0; i < MW_COUNT(slips); i++) {
        struct mw_model *model = (struct mw_model *)&model;
        assert_int_equal(mw_model_from_text("test.cl", slips[i].text, &model), MW_EBUILD);
        assert_string_equal(mw_errmsg(), slips[i].message);
        assert_ptr_equal(model, &model);
    }
}

/* A slope whose nodes are used twice each: dividing each use by itself would take 2^60 calls. */
static void shared_nodes_of_slopes_are_divided_once(void **unused)
{
    struct mw_text text = { 0 };
    mw_text_add(&text, "%srate(c) = c;\na0 = c;\n", HEAD);
    for (int i = 0; i < 60; i++)
        mw_text_add(&text, "a%d = a%d + a%d;\n", i + 1, i, i);
    mw_text_add(&text, "boundary(c, x) = slope(a60);\n");
    mw_model_free(parse(text.data));
    mw_text_free(&text);
}

/* Damaged files: any result but a crash is accepted. */
static void random_damage_is_survived(void **unused)
{
    static const char whole[] =
        HEAD "//@ param a 1 \"\"\n//@ field p complex\n//@ noise n \"\"\n"
             "STAGE(mu) { const realv v = AT(c), w = v > 2 ? v : -a; if (w) return v; return P(a) * LAP(c); }\n"
             "f(x, y) = x^2 * y - exp(x / y);\nw = div(c * grad(mu)) + c^3;\n"
             "energy = abs2(p) + f(c, 2) - c * lap(c) / 2;\nRATE(c) { return lap(mu + w) - variation(c); }\n"
             "rate(p) = i * p + noise(n) - variation(p);";
    struct mw_reach reach;
    int refused = 0;
    seed_random();
    for (int i = 0; i < 20000; i++) {
        char text[sizeof whole];
        struct mw_model *model = NULL;
        memcpy(text, whole, sizeof whole);
        for (int k = rand() % 4; k >= 0; k--)
            text[(size_t)rand() % (sizeof whole - 1)] = (char)(1 + rand() % 255);
        if (rand() % 3 == 0)
            text[(size_t)rand() % sizeof whole] = 0;
        if (mw_model_from_text("test.cl", text, &model) != 0)
            refused++;
        else
            mw_model_reach(model, (enum mw_laplacian)(rand() % MW_LAPLACIAN_COUNT), &reach);
        mw_model_free(model);
    }
    assert_true(refused > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(models_are_compiled),
        cmocka_unit_test(slips_are_named_with_their_place),
        cmocka_unit_test(shared_nodes_of_slopes_are_divided_once),
        cmocka_unit_test(random_damage_is_survived),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
/* SPDX-License-Identifier: MIT */
