// CUDA emulation on the host: the text that precedes a kernel's, which is compiled as C++.  An item runs until it ends
// or reaches a barrier; the driver then continues with the next one.
// Without includes, many small programs compile several times as fast.
typedef decltype(sizeof 0) size_t;

#undef __x86_64__
#define __CUDACC_RTC__ 1
#define __global__ __attribute__((__global__))
#define __constant__
#define __device__
#define __shared__ static __attribute__((section("host_shared")))
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __launch_bounds__(...)
#define __block_size__(...)

struct host_place {
    unsigned x, y, z;
};
extern "C" {
struct {
    host_place thread, block, group, grid;
} host_item;
void (*host_barrier)();
}
extern "C" {
extern char __start_host_shared[] __attribute__((weak)), __stop_host_shared[] __attribute__((weak));
// Shared by all kernels of the program.
unsigned long host_shared_bytes() { return (unsigned long)(__stop_host_shared - __start_host_shared); }
}
#define threadIdx host_item.thread
#define blockIdx host_item.block
#define blockDim host_item.group
#define gridDim host_item.grid
#define __syncthreads() host_barrier()
// Within a warp; requiring all items of a group, like the other barrier, is stricter than needed.
#define __syncwarp() host_barrier()

template <size_t... I> struct host_numbers {
};
template <size_t N, size_t... I> struct host_count : host_count<N - 1, N - 1, I...> {
};
template <size_t... I> struct host_count<0, I...> {
    typedef host_numbers<I...> type;
};
template <typename T> struct host_plain {
    typedef T type;
};
template <typename T> struct host_plain<const T> {
    typedef T type;
};
template <typename... A, size_t... I> void host_unpack(void (*kernel)(A...), void *const *p, host_numbers<I...>)
{
    kernel(*static_cast<typename host_plain<A>::type *>(p[I])...);
}
template <typename... A> void host_call(void (*kernel)(A...), void *const *p)
{
    host_unpack(kernel, p, typename host_count<sizeof...(A)>::type());
}
// Sizes, ending with 0.
template <typename... A> const size_t *host_sizes(void (*)(A...))
{
    static const size_t sizes[] = { sizeof(A)..., 0 };
    return sizes;
}
#define HOST_KERNEL(name)                                                                                              \
    extern "C" void host_call_##name(void *const *p) { host_call(name, p); }                                           \
    extern "C" const size_t *host_sizes_##name() { return host_sizes(name); }

// Functions of C++ that NVRTC has without a header.
template <typename T> static T min(T a, T b) { return b < a ? b : a; }
template <typename T> static T max(T a, T b) { return a < b ? b : a; }
static inline float sqrt(float x) { return __builtin_sqrtf(x); }
static inline double sqrt(double x) { return __builtin_sqrt(x); }
static inline float fabs(float x) { return __builtin_fabsf(x); }
static inline double fabs(double x) { return __builtin_fabs(x); }
static inline float fma(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
static inline double fma(double a, double b, double c) { return __builtin_fma(a, b, c); }

struct alignas(8) uint2 {
    unsigned x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(16) ulonglong2 {
    unsigned long long x, y;
};

template <typename T> static T atomicAdd(T *at, T v)
{
    T old = *at;
    *at = old + v;
    return old;
}
template <typename T> static T atomicSub(T *at, T v)
{
    T old = *at;
    *at = old - v;
    return old;
}
template <typename T> static T atomicAnd(T *at, T v)
{
    T old = *at;
    *at = old & v;
    return old;
}
template <typename T> static T atomicOr(T *at, T v)
{
    T old = *at;
    *at = old | v;
    return old;
}
template <typename T> static T atomicXor(T *at, T v)
{
    T old = *at;
    *at = old ^ v;
    return old;
}
template <typename T> static T atomicMax(T *at, T v)
{
    T old = *at;
    if (v > old)
        *at = v;
    return old;
}
template <typename T> static T atomicMin(T *at, T v)
{
    T old = *at;
    if (v < old)
        *at = v;
    return old;
}
template <typename T> static T atomicExch(T *at, T v)
{
    T old = *at;
    *at = v;
    return old;
}
template <typename T> static T atomicCAS(T *at, T from, T to)
{
    T old = *at;
    if (old == from)
        *at = to;
    return old;
}

template <typename To, typename From> static To host_as(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same size");
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
}
static inline float __uint_as_float(unsigned v) { return host_as<float>(v); }
static inline unsigned __float_as_uint(float v) { return host_as<unsigned>(v); }
static inline long long __double_as_longlong(double v) { return host_as<long long>(v); }
static inline double __longlong_as_double(long long v) { return host_as<double>(v); }
static inline double __hiloint2double(int high, int low)
{
    return host_as<double>((long long)((unsigned long long)(unsigned)high << 32 | (unsigned)low));
}
static inline unsigned __umulhi(unsigned a, unsigned b) { return (unsigned)((unsigned long long)a * b >> 32); }
static inline int __popc(unsigned v) { return __builtin_popcount(v); }
static inline int __popcll(unsigned long long v) { return __builtin_popcountll(v); }
static inline int __clz(int v) { return v ? __builtin_clz((unsigned)v) : 32; }
static inline int __ffsll(long long v) { return __builtin_ffsll(v); }

typedef unsigned long long cudaTextureObject_t;
struct host_texture {
    const char *cells;
    size_t length[3], cell;
    unsigned address, from_0_to_1;
};
// 0: periodic, 1: the last cell, 2: mirrored.
static inline long host_place_in(const host_texture *t, float at, int d)
{
    const long n = (long)t->length[d], i = (long)__builtin_floor(t->from_0_to_1 ? (double)at * (double)n : (double)at);
    const long period = t->address == 2 ? 2 * n : n, rest = (i % period + period) % period;
    return t->address == 1 ? (i < 0 ? 0 : i >= n ? n - 1 : i) : rest < n ? rest : period - 1 - rest;
}
template <typename T> static T tex3D(cudaTextureObject_t texture, float x, float y, float z)
{
    const host_texture *t = reinterpret_cast<const host_texture *>(texture);
    T value;
    const long row = host_place_in(t, z, 2) * (long)t->length[1] + host_place_in(t, y, 1);
    const long cell = row * (long)t->length[0] + host_place_in(t, x, 0);
    __builtin_memcpy(&value, t->cells + cell * (long)t->cell, sizeof value);
    return value;
}
template <typename T> static T tex2D(cudaTextureObject_t texture, float x, float y)
{
    return tex3D<T>(texture, x, y, 0.0f);
}
/* SPDX-License-Identifier: MIT */
