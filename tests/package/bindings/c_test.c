/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* dytq.h from C99, and compiled as C++: right answers, refusals that write nothing, structs of other sizes, two threads. */
#include <dytq.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;
#define CHECK(condition)                                       \
  do {                                                         \
    if (!(condition)) {                                        \
      printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
      ++failures;                                              \
    }                                                          \
  } while (0)

static dytq_view view1(const void *data, int32_t type, int64_t n) {
  dytq_view v;
  memset(&v, 0, sizeof v);
  v.data = data;
  v.type = type;
  v.rank = 1;
  v.extents[0] = n;
  v.strides[0] = 1;
  return v;
}

static dytq_output output1(void *data, int32_t type, int64_t n) {
  dytq_output v;
  memset(&v, 0, sizeof v);
  v.data = data;
  v.type = type;
  v.rank = 1;
  v.extents[0] = n;
  v.strides[0] = 1;
  return v;
}

static dytq_rescale step(int32_t multiplier, int32_t shift) {
  dytq_rescale r;
  memset(&r, 0, sizeof r);
  r.multiplier = multiplier;
  r.shift = shift;
  return r;
}

/* A rejection that says nothing, with its size. */
static dytq_rejection nothing(void) {
  dytq_rejection why;
  memset(&why, 0, sizeof why);
  why.size = sizeof why;
  return why;
}

/* A linear layer of 2 x 3 after a Dynamic Tanh whose gamma is 1 but for a sign, so that it folds. */
enum { O = 2, I = 3 };
struct layer {
  int8_t table[256], gamma[I], weight[O * I];
  int32_t bias[O];
  int16_t workspace[4 * I];
  dytq_affine_site site;
  dytq_conv conv;
  dytq_fold_outputs outputs;
  dytq_fold fold;
  dytq_rejection why;
};

static void set_up(struct layer *l) {
  int i;
  memset(l, 0, sizeof *l);
  for (i = 0; i < 256; ++i) {
    l->table[i] = (int8_t)(i - 128 < -127 ? -127 : i - 128);
  }
  l->gamma[0] = 1;
  l->gamma[1] = -1;
  l->gamma[2] = 1;
  for (i = 0; i < O * I; ++i) {
    l->weight[i] = (int8_t)(10 * i - 20);
  }
  l->bias[0] = 100;
  l->bias[1] = -100;
  l->site.size = sizeof l->site;
  l->site.table = view1(l->table, DYTQ_INT8, 256);
  l->site.gamma = view1(l->gamma, DYTQ_INT8, I);
  l->site.table_step = l->site.gamma_step = l->site.gamma_out = step(1 << 30, 30);
  l->conv.size = sizeof l->conv;
  l->conv.weight = view1(l->weight, DYTQ_INT8, O);
  l->conv.weight.rank = 2;
  l->conv.weight.extents[1] = I;
  l->conv.weight.strides[0] = I;
  l->conv.weight.strides[1] = 1;
  l->conv.layout = DYTQ_LAYOUT_OI;
  l->conv.bias = view1(l->bias, DYTQ_INT32, O);
  l->conv.groups = 1;
  l->outputs.size = sizeof l->outputs;
  l->outputs.weight.data = l->weight;
  l->outputs.weight.type = l->conv.weight.type;
  l->outputs.weight.rank = 2;
  memcpy(l->outputs.weight.extents, l->conv.weight.extents, sizeof l->conv.weight.extents);
  memcpy(l->outputs.weight.strides, l->conv.weight.strides, sizeof l->conv.weight.strides);
  l->outputs.bias = output1(l->bias, DYTQ_INT32, O);
  l->outputs.workspace = output1(l->workspace, DYTQ_INT16, 4 * I);
  l->fold.size = sizeof l->fold;
  l->why = nothing();
}

static dytq_status fold(struct layer *l) {
  return dytq_fold_affine_into_conv(&l->site, &l->conv, &l->outputs, &l->fold, &l->why);
}

static void right_answers(void) {
  dytq_rejection why = nothing();
  int64_t multiplier = 0;
  int32_t shift = 0, result = 0;
  int8_t table[256], other[256];
  struct layer l;
  dytq_claim claim;
  char text[200];
  dytq_qparams in, out;
  const dytq_output to = output1(table, DYTQ_INT8, 256);
  const dytq_rescale half = step(1 << 30, 31);

  CHECK(dytq_quantize_scale(0.5, 32, DYTQ_DIALECT_EXECUTORCH, &multiplier, &shift, &why) == DYTQ_OK);
  CHECK(multiplier == 1 << 30 && shift == 31);
  CHECK(dytq_quantize_scale(-1.0, 32, DYTQ_DIALECT_EXECUTORCH, &multiplier, &shift, &why) == DYTQ_REJECTED);
  CHECK(why.reason == DYTQ_REASON_SCALE_NEGATIVE && multiplier == 1 << 30);
  CHECK(dytq_scale_fits(DYTQ_TARGET_TOSA, 0.5, &why) == DYTQ_OK && why.reason == DYTQ_REASON_NONE);
  CHECK(dytq_apply_step(&half, 5, &result, &why) == DYTQ_OK && result == 3);
  CHECK(dytq_mul_int32(1 << 30, 4, 0, &result, &why) == DYTQ_OK && result == 0);
  CHECK(dytq_add_int32(INT32_MAX, 1, &result, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_ADD_OVERFLOW);

  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  in.scale = 0.05;
  out.scale = 1.0 / 128;
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, NULL, &to, &why) == DYTQ_OK);
  CHECK(table[128] == 0 && table[255] == 127 && table[0] == -128 && table[148] == 97); /* tanh(1) * 128 = 97.48 */
  memcpy(other, table, sizeof table);
  out.scale = 0;
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, NULL, &to, &why) == DYTQ_REJECTED);
  CHECK(why.reason == DYTQ_REASON_SCALE_NOT_POSITIVE && memcmp(other, table, sizeof table) == 0);
  CHECK(dytq_lut8(999, &in, &in, NULL, &to, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_UNKNOWN_TYPE);

  set_up(&l);
  {
    int8_t weight[O * I];
    const int8_t folded[O * I] = {-20, 10, 0, 10, -20, 30};
    memcpy(weight, l.weight, sizeof weight);
    CHECK(fold(&l) == DYTQ_OK && l.fold.weights_changed == 2 && l.fold.input_zp == 0);
    CHECK(memcmp(folded, l.weight, sizeof folded) == 0);
    memset(&claim, 0, sizeof claim);
    claim.size = sizeof claim;
    claim.weight = l.conv.weight;
    claim.bias = l.conv.bias;
    l.conv.weight.data = weight;
    CHECK(dytq_check_fold(&l.site, &l.conv, &claim, &l.why) == DYTQ_OK);
    l.weight[3] = 11;
    CHECK(dytq_check_fold(&l.site, &l.conv, &claim, &l.why) == DYTQ_REJECTED);
    CHECK(l.why.reason == DYTQ_REASON_FOLD_DIFFERS && l.why.output_channel == 1 && l.why.channel == 0);
    CHECK(dytq_text(DYTQ_REJECTED, &l.why, text, sizeof text) == strlen(text));
    CHECK(strncmp(text, "fold_differs at weight, channel 0, output channel 1", 50) == 0);
    CHECK(dytq_text(DYTQ_REJECTED, &l.why, text, 13) > 13 && strcmp(text, "fold_differs") == 0);
  }
  CHECK(strcmp(dytq_name(DYTQ_NAMES_REASON, DYTQ_REASON_NOT_AFFINE), "not_affine") == 0);
  CHECK(dytq_number(DYTQ_NAMES_REASON, "not_affine") == DYTQ_REASON_NOT_AFFINE);
  CHECK(dytq_number(DYTQ_NAMES_REASON, "not_a") == -1 && dytq_number(99, "x") == -1 && dytq_number(1, NULL) == -1);
  CHECK(dytq_name(DYTQ_NAMES_REASON, -1) == NULL && dytq_name(DYTQ_NAMES_REASON, 10000) == NULL);
  CHECK(strcmp(dytq_name(DYTQ_NAMES_CLASS, DYTQ_REASON_NOT_AFFINE), "no_fold") == 0);
  CHECK(dytq_abi_version() == DYTQ_ABI_VERSION);
}

/* What is wrong with the arguments of a fold, each alone: what must be answered, and nothing written. */
static void null_table(struct layer *l) { l->site.table.data = NULL; }
static void no_table(struct layer *l) { memset(&l->site.table, 0, sizeof l->site.table); }
static void short_table(struct layer *l) { l->site.table.extents[0] = 255; }
static void negative_extent(struct layer *l) { l->conv.weight.extents[0] = -1; }
static void huge_extent(struct layer *l) { l->conv.weight.extents[0] = INT64_MAX; }
static void huge_stride(struct layer *l) { l->conv.weight.strides[0] = INT64_MAX; }
static void huge_gamma(struct layer *l) { l->site.gamma.extents[0] = (int64_t)1 << 40; l->site.gamma.strides[0] = (int64_t)1 << 40; }
static void type_of_weight(struct layer *l) { l->conv.weight.type = DYTQ_UINT8; }
static void unknown_type(struct layer *l) { l->conv.weight.type = 77; }
static void rank_of_weight(struct layer *l) { l->conv.weight.rank = 4; }
static void rank_six(struct layer *l) { l->site.table.rank = 6; }
static void negative_rank(struct layer *l) { l->site.table.rank = -1; }
static void misaligned_bias(struct layer *l) { l->conv.bias.data = (const char *)l->bias + 1; }
static void unknown_layout(struct layer *l) { l->conv.layout = 99; }
static void groups_zero(struct layer *l) { l->conv.groups = 0; }
static void groups_huge(struct layer *l) { l->conv.groups = INT64_MIN; }
static void wrong_zp(struct layer *l) { l->conv.input_zp = 1; }
static void empty_gamma(struct layer *l) { l->site.gamma = view1(NULL, DYTQ_INT8, 0); }
static void stride_zero(struct layer *l) { l->conv.axes[2].dilation = 1; }
static void rounding(struct layer *l) { l->site.gamma_out.rounding = 256; }
static void step_shift(struct layer *l) { l->site.gamma_out.shift = 1; }
static void step_reserved(struct layer *l) { l->site.gamma_out.reserved = 1; }
static void inverted(struct layer *l) { l->site.gamma_out.out.is_set = 1; l->site.gamma_out.out.lo = 1; }
static void small_workspace(struct layer *l) { l->outputs.workspace.extents[0] = 1; }
static void shared_output(struct layer *l) { l->outputs.weight.strides[1] = 0; }
static void overlapping(struct layer *l) { l->outputs.weight.data = l->weight + 1; }
static void overlapping_bias(struct layer *l) { l->outputs.bias.data = l->workspace; }
static void over_table(struct layer *l) { l->outputs.weight.data = l->table; }
static void reversed(struct layer *l) { l->outputs.bias.data = l->bias + 1; l->outputs.bias.strides[0] = -1; }
static void shape_of_output(struct layer *l) { l->outputs.weight.extents[0] = 1; }
static void weight_only(struct layer *l) { memset(&l->outputs.bias, 0, sizeof l->outputs.bias); }
static void no_outputs(struct layer *l) { memset(&l->outputs.weight, 0, sizeof l->outputs.weight); weight_only(l); }
static void not_affine(struct layer *l) { l->gamma[1] = 3; }
static void site_size(struct layer *l) { l->site.size = 0; }
static void odd_size(struct layer *l) { l->conv.size -= 4; }
static void fold_size(struct layer *l) { l->fold.size = 1 << 20; }
static void outputs_size(struct layer *l) { l->outputs.size = UINT64_MAX; }
static void why_size(struct layer *l) { l->why.size = 3; }

static void hostile_fold(void) {
  static const struct {
    const char *name;
    void (*break_it)(struct layer *);
    dytq_status status;
    int32_t reason;
  } cases[] = {
      {"null_table", null_table, DYTQ_REJECTED, DYTQ_REASON_NULL_VIEW},
      {"no_table", no_table, DYTQ_REJECTED, DYTQ_REASON_TABLE_SIZE},
      {"short_table", short_table, DYTQ_REJECTED, DYTQ_REASON_TABLE_SIZE},
      {"negative_extent", negative_extent, DYTQ_REJECTED, DYTQ_REASON_NEGATIVE_EXTENT},
      {"huge_extent", huge_extent, DYTQ_REJECTED, DYTQ_REASON_EXTENT_OVERFLOW},
      {"huge_stride", huge_stride, DYTQ_REJECTED, DYTQ_REASON_EXTENT_OVERFLOW},
      {"huge_gamma", huge_gamma, DYTQ_REJECTED, DYTQ_REASON_EXTENT_OVERFLOW},
      {"type_of_weight", type_of_weight, DYTQ_BAD_VIEW, DYTQ_REASON_NONE},
      {"unknown_type", unknown_type, DYTQ_BAD_VIEW, DYTQ_REASON_NONE},
      {"rank_of_weight", rank_of_weight, DYTQ_BAD_VIEW, DYTQ_REASON_NONE},
      {"rank_six", rank_six, DYTQ_BAD_VIEW, DYTQ_REASON_NONE},
      {"negative_rank", negative_rank, DYTQ_BAD_VIEW, DYTQ_REASON_NONE},
      {"misaligned_bias", misaligned_bias, DYTQ_BAD_VIEW, DYTQ_REASON_NONE},
      {"unknown_layout", unknown_layout, DYTQ_BAD_VIEW, DYTQ_REASON_NONE},
      {"groups_zero", groups_zero, DYTQ_REJECTED, DYTQ_REASON_GROUP_COUNT},
      {"groups_huge", groups_huge, DYTQ_REJECTED, DYTQ_REASON_GROUP_COUNT},
      {"wrong_zp", wrong_zp, DYTQ_REJECTED, DYTQ_REASON_ZERO_POINT_MISMATCH},
      {"empty_gamma", empty_gamma, DYTQ_REJECTED, DYTQ_REASON_CHANNEL_COUNT},
      {"stride_zero", stride_zero, DYTQ_REJECTED, DYTQ_REASON_STRIDE_NOT_POSITIVE},
      {"rounding", rounding, DYTQ_REJECTED, DYTQ_REASON_UNKNOWN_ROUNDING_MODE},
      {"step_shift", step_shift, DYTQ_REJECTED, DYTQ_REASON_SHIFT_OUT_OF_RANGE},
      {"step_reserved", step_reserved, DYTQ_UNKNOWN_FIELD, DYTQ_REASON_NONE},
      {"inverted", inverted, DYTQ_REJECTED, DYTQ_REASON_RANGE_INVERTED},
      {"small_workspace", small_workspace, DYTQ_REJECTED, DYTQ_REASON_SIZE_MISMATCH},
      {"shared_output", shared_output, DYTQ_REJECTED, DYTQ_REASON_ALIASED_OUTPUT},
      {"overlapping", overlapping, DYTQ_REJECTED, DYTQ_REASON_OVERLAPPING_VIEWS},
      {"overlapping_bias", overlapping_bias, DYTQ_REJECTED, DYTQ_REASON_OVERLAPPING_VIEWS},
      {"over_table", over_table, DYTQ_REJECTED, DYTQ_REASON_OVERLAPPING_VIEWS},
      {"reversed", reversed, DYTQ_REJECTED, DYTQ_REASON_OVERLAPPING_VIEWS},
      {"shape_of_output", shape_of_output, DYTQ_REJECTED, DYTQ_REASON_OVERLAPPING_VIEWS},
      {"weight_only", weight_only, DYTQ_REJECTED, DYTQ_REASON_OUTPUT_MISSING},
      {"no_outputs", no_outputs, DYTQ_REJECTED, DYTQ_REASON_OUTPUT_MISSING},
      {"not_affine", not_affine, DYTQ_REJECTED, DYTQ_REASON_NOT_AFFINE},
      {"site_size", site_size, DYTQ_BAD_SIZE, DYTQ_REASON_NONE},
      {"odd_size", odd_size, DYTQ_BAD_SIZE, DYTQ_REASON_NONE},
      {"fold_size", fold_size, DYTQ_BAD_SIZE, DYTQ_REASON_NONE},
      {"outputs_size", outputs_size, DYTQ_BAD_SIZE, DYTQ_REASON_NONE},
      {"why_size", why_size, DYTQ_BAD_SIZE, DYTQ_REASON_NONE},
  };
  size_t i;
  for (i = 0; i < sizeof cases / sizeof cases[0]; ++i) {
    struct layer l, before;
    dytq_status status;
    set_up(&l);
    cases[i].break_it(&l);
    before = l;
    status = fold(&l);
    if (status != cases[i].status || (status != DYTQ_OK && l.why.reason != cases[i].reason)) {
      char text[300];
      dytq_text(status, &l.why, text, sizeof text);
      printf("%s: status %d, %s\n", cases[i].name, (int)status, text);
      ++failures;
    }
    CHECK(memcmp(l.weight, before.weight, sizeof l.weight) == 0);
    CHECK(memcmp(l.bias, before.bias, sizeof l.bias) == 0);
    CHECK(memcmp(&l.fold, &before.fold, sizeof l.fold) == 0);
    CHECK(memcmp(l.table, before.table, sizeof l.table) == 0);
  }
  {
    /* Whoever only asks is told the same, and nothing is written. */
    struct layer l, before;
    dytq_fold answer;
    dytq_table_and_conv_fold with_table;
    dytq_output table;
    int8_t entries[256], around[257];
    set_up(&l);
    before = l;
    memset(&answer, 0, sizeof answer);
    memset(&with_table, 0, sizeof with_table);
    memset(entries, 5, sizeof entries);
    answer.size = sizeof answer;
    with_table.size = sizeof with_table;
    table = output1(entries, DYTQ_INT8, 256);
    CHECK(dytq_prove_affine_fold(&l.site, &l.conv, &l.outputs.workspace, &answer, &l.why) == DYTQ_OK);
    CHECK(answer.weights_changed == 2 && memcmp(l.weight, before.weight, sizeof l.weight) == 0);
    CHECK(memcmp(l.bias, before.bias, sizeof l.bias) == 0);
    CHECK(fold(&l) == DYTQ_OK && memcmp(&l.fold, &answer, sizeof answer) == 0);
    set_up(&l);
    answer.input_zp = -77;
    CHECK(dytq_prove_beta_fold(&l.site, &l.conv, &l.outputs.workspace, &answer, &l.why) == DYTQ_REJECTED);
    CHECK(l.why.reason == DYTQ_REASON_NO_BETA && answer.input_zp == -77);
    CHECK(dytq_prove_table_and_conv_fold(&l.site, &l.conv, &l.outputs.workspace, NULL, &with_table, &l.why) == DYTQ_OK);
    CHECK(with_table.multiple != 0 && entries[0] == 5);
    CHECK(dytq_prove_table_and_conv_fold(&l.site, &l.conv, &l.outputs.workspace, &table, &with_table, &l.why) == DYTQ_OK);
    CHECK(entries[128] == 0 && entries[0] != 5);
    table.extents[0] = 255;
    CHECK(dytq_prove_table_and_conv_fold(&l.site, &l.conv, &l.outputs.workspace, &table, &with_table, &l.why) == DYTQ_REJECTED);
    CHECK(l.why.reason == DYTQ_REASON_TABLE_SIZE);
    table = l.outputs.workspace;
    table.type = DYTQ_INT8;
    table.extents[0] = 256;
    memcpy(around, l.table, 256);
    around[256] = 0;
    l.site.table.data = around;
    table.data = around + 1; /* over the site's own, and nothing else */
    CHECK(dytq_prove_table_and_conv_fold(&l.site, &l.conv, &l.outputs.workspace, &table, &with_table, &l.why) == DYTQ_REJECTED);
    CHECK(l.why.reason == DYTQ_REASON_OVERLAPPING_VIEWS);
    CHECK(dytq_prove_affine_fold(&l.site, &l.conv, NULL, &answer, &l.why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_prove_affine_fold(&l.site, &l.conv, &l.outputs.workspace, NULL, &l.why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_prove_beta_fold(NULL, &l.conv, &l.outputs.workspace, &answer, &l.why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_prove_table_and_conv_fold(&l.site, NULL, &l.outputs.workspace, NULL, &with_table, &l.why) == DYTQ_NULL_ARGUMENT);
    l.outputs.workspace.extents[0] = 1;
    CHECK(dytq_prove_affine_fold(&l.site, &l.conv, &l.outputs.workspace, &answer, &l.why) == DYTQ_REJECTED);
    CHECK(l.why.reason == DYTQ_REASON_SIZE_MISMATCH);
  }
  {
    struct layer l;
    set_up(&l);
    CHECK(dytq_fold_affine_into_conv(NULL, &l.conv, &l.outputs, &l.fold, &l.why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_fold_affine_into_conv(&l.site, NULL, &l.outputs, &l.fold, &l.why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_fold_affine_into_conv(&l.site, &l.conv, NULL, &l.fold, &l.why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_fold_affine_into_conv(&l.site, &l.conv, &l.outputs, NULL, &l.why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_fold_affine_into_conv(&l.site, &l.conv, &l.outputs, &l.fold, NULL) == DYTQ_OK);
    /* Strides may be negative where nothing is shared. */
    set_up(&l);
    l.gamma[0] = 1;
    l.gamma[2] = -1;
    l.site.gamma.data = l.gamma + 2;
    l.site.gamma.strides[0] = -1;
    CHECK(fold(&l) == DYTQ_OK && l.weight[0] == 20 && l.weight[1] == 10 && l.weight[2] == 0);
  }
}

static void hostile_scalars(void) {
  dytq_rejection why = nothing();
  int64_t multiplier = 7;
  int32_t shift = 7;
  int8_t table[256], before[256];
  int64_t wide[257];
  dytq_qparams in, out;
  dytq_lut_options how;
  dytq_output to = output1(table, DYTQ_INT8, 256);
  const dytq_view view = view1(table, DYTQ_INT8, 256);
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memset(table, 5, sizeof table);
  memcpy(before, table, sizeof table);
  in.scale = out.scale = 0.1;
  CHECK(dytq_quantize_scale(0.5, 32, 99, &multiplier, &shift, &why) == DYTQ_REJECTED);
  CHECK(why.reason == DYTQ_REASON_UNKNOWN_DIALECT);
  CHECK(dytq_quantize_scale(0.5, 32, 256, &multiplier, &shift, &why) == DYTQ_REJECTED);
  CHECK(dytq_quantize_scale(0.5, 32, -1, &multiplier, &shift, &why) == DYTQ_REJECTED);
  CHECK(dytq_quantize_scale(0.5, 31, 0, &multiplier, &shift, &why) == DYTQ_REJECTED);
  CHECK(dytq_quantize_scale(0.5, 32, 0, NULL, &shift, &why) == DYTQ_NULL_ARGUMENT);
  CHECK(multiplier == 7 && shift == 7);
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, NULL, &out, NULL, &to, &why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, NULL, NULL, &why) == DYTQ_NULL_ARGUMENT);
  to.extents[0] = 255;
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, NULL, &to, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_TABLE_SIZE);
  to.extents[0] = 256;
  to.strides[0] = 0;
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, NULL, &to, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_ALIASED_OUTPUT);
  to.strides[0] = 1;
  to.data = NULL;
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, NULL, &to, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_NULL_VIEW);
  to.data = table + 1;
  to.extents[0] = 255;
  CHECK(dytq_compose(&view, &view, &to, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_OVERLAPPING_VIEWS);
  CHECK(memcmp(table, before, sizeof table) == 0);

  /* Options that are longer than this library knows them, as of a newer header; and shorter, as of an older one. */
  memset(&how, 0, sizeof how);
  memset(wide, 0, sizeof wide);
  how.size = sizeof how;
  how.alpha = 1.0;
  to = output1(table, DYTQ_INT8, 256);
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, &how, &to, &why) == DYTQ_OK);
  memcpy(before, table, sizeof table);
  memset(table, 5, sizeof table);
  memcpy(wide, &how, sizeof how);
  wide[0] = (int64_t)sizeof how + 16;
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, (const dytq_lut_options *)wide, &to, &why) == DYTQ_OK);
  CHECK(memcmp(table, before, sizeof table) == 0);
  memset(table, 5, sizeof table);
  ((char *)wide)[sizeof how + 15] = 1;
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, (const dytq_lut_options *)wide, &to, &why) == DYTQ_UNKNOWN_FIELD);
  CHECK(table[0] == 5);
  how.size = 16; /* size and alpha */
  how.numerics = 99; /* beyond its size: not read */
  CHECK(dytq_lut8(DYTQ_FUNCTION_TANH, &in, &out, &how, &to, &why) == DYTQ_OK);
  CHECK(memcmp(table, before, sizeof table) == 0);

  /* Results likewise: filled as far as they go, and 0 beyond what is known. */
  {
    struct layer l;
    memset(wide, 0x5a, sizeof wide);
    set_up(&l);
    wide[0] = 16;
    CHECK(dytq_fold_affine_into_conv(&l.site, &l.conv, &l.outputs, (dytq_fold *)wide, &l.why) == DYTQ_OK);
    CHECK(wide[0] == 16 && wide[1] == 2 && wide[2] == 0x5a5a5a5a5a5a5a5a);
    set_up(&l);
    wide[0] = (int64_t)sizeof(dytq_fold) + 8;
    CHECK(dytq_fold_affine_into_conv(&l.site, &l.conv, &l.outputs, (dytq_fold *)wide, &l.why) == DYTQ_OK);
    CHECK(wide[sizeof(dytq_fold) / 8] == 0 && wide[sizeof(dytq_fold) / 8 + 1] == 0x5a5a5a5a5a5a5a5a);
    set_up(&l);
    memset(wide, 0x5a, sizeof wide);
    wide[0] = 16;
    l.gamma[1] = 3;
    CHECK(dytq_fold_affine_into_conv(&l.site, &l.conv, &l.outputs, &l.fold, (dytq_rejection *)wide) == DYTQ_REJECTED);
    CHECK(((int32_t *)wide)[2] == DYTQ_REASON_NOT_AFFINE && wide[2] == 0x5a5a5a5a5a5a5a5a);
  }
  {
    const dytq_rescale_operator *none = NULL;
    CHECK(dytq_apply_rescale(none, 1, 1, 30, &shift, &why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_rescale_tensor(none, &view, &view, &view, &to, &why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_fit_rescale(&view, NULL, NULL, &shift, &shift, &why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_lookup(&view, &view, NULL, &why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_fold_affine_into_convs(NULL, 0, NULL, NULL, NULL, &why) == DYTQ_NULL_ARGUMENT);
    CHECK(dytq_channel_tables(NULL, &to, &to, &multiplier, &why) == DYTQ_NULL_ARGUMENT);
  }
}

static void several_convolutions(void) {
  struct layer a, b;
  const dytq_conv *convs[2];
  const dytq_fold_outputs *outputs[2];
  dytq_fold *folds[2];
  set_up(&a);
  set_up(&b);
  convs[0] = &a.conv;
  convs[1] = &b.conv;
  outputs[0] = &a.outputs;
  outputs[1] = &b.outputs;
  folds[0] = &a.fold;
  folds[1] = &b.fold;
  b.conv.input_zp = 1;
  CHECK(dytq_fold_affine_into_convs(&a.site, 2, convs, outputs, folds, &a.why) == DYTQ_REJECTED);
  CHECK(a.why.reason == DYTQ_REASON_ZERO_POINT_MISMATCH && a.why.convolution == 1 && a.weight[1] == -10);
  b.conv.input_zp = 0;
  CHECK(dytq_fold_affine_into_convs(&a.site, 33, convs, outputs, folds, &a.why) == DYTQ_REJECTED);
  CHECK(dytq_fold_affine_into_convs(&a.site, -1, convs, outputs, folds, &a.why) == DYTQ_REJECTED);
  CHECK(dytq_fold_affine_into_convs(&a.site, 2, NULL, outputs, folds, &a.why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_fold_affine_into_convs(&a.site, 2, convs, outputs, folds, &a.why) == DYTQ_OK);
  CHECK(a.fold.weights_changed == 2 && b.fold.weights_changed == 2 && b.weight[1] == 10);
}

/* Two RESCALEs that are one: y = x / 4. */
static void chains(void) {
  static int8_t codes[8 * 256];
  static int32_t numbers[8], new_numbers[8];
  static int8_t new_codes[2048], maps[256], again[256];
  static int16_t lines[32];
  dytq_chain_step steps[2], made[2];
  dytq_stretch stretches[DYTQ_MAX_STRETCHES];
  dytq_chain chain;
  dytq_plan plan;
  dytq_plan_workspace workspace;
  dytq_plan_outputs outputs;
  dytq_rejection why = nothing();
  int64_t sizes[3];
  dytq_output to = output1(maps, DYTQ_INT8, 1);
  int i;
  memset(steps, 0, sizeof steps);
  memset(made, 0, sizeof made);
  memset(stretches, 0, sizeof stretches);
  memset(&chain, 0, sizeof chain);
  memset(&plan, 0, sizeof plan);
  memset(&workspace, 0, sizeof workspace);
  memset(&outputs, 0, sizeof outputs);
  to.rank = 2;
  to.strides[0] = 256;
  to.extents[1] = 256;
  to.strides[1] = 1;
  for (i = 0; i < 2; ++i) {
    steps[i].size = made[i].size = sizeof steps[i];
    steps[i].op = DYTQ_OPERATION_RESCALE;
    steps[i].scale = step(1 << 30, 31);
  }
  for (i = 0; i < DYTQ_MAX_STRETCHES; ++i) {
    stretches[i].size = sizeof stretches[i];
  }
  chain.size = sizeof chain;
  chain.steps = steps;
  chain.count = 2;
  chain.channels = 1;
  plan.size = sizeof plan;
  workspace.size = sizeof workspace;
  outputs.size = sizeof outputs;
  CHECK(dytq_plan_workspace_sizes(&chain, &sizes[0], &sizes[1], &sizes[2], &why) == DYTQ_OK);
  CHECK(sizes[0] <= (int64_t)sizeof codes && sizes[1] <= 8 && sizes[2] <= 32);
  workspace.codes = output1(codes, DYTQ_INT8, sizes[0]);
  workspace.numbers = output1(numbers, DYTQ_INT32, sizes[1]);
  workspace.lines = output1(lines, DYTQ_INT16, sizes[2]);
  CHECK(dytq_plan_chain(&chain, NULL, NULL, &workspace, &plan, stretches, NULL, &why) == DYTQ_OK);
  CHECK(plan.operators_before == 2 && plan.operators == 1 && plan.stretches == 1 && plan.codes <= (int64_t)sizeof new_codes);
  CHECK(stretches[0].from == 0 && stretches[0].to == 2 && stretches[0].steps == 1);
  outputs.steps = made;
  outputs.count = plan.operators;
  outputs.numbers = output1(new_numbers, DYTQ_INT32, plan.numbers);
  outputs.codes = output1(new_codes, DYTQ_INT8, plan.codes);
  CHECK(dytq_apply_plan(&chain, NULL, NULL, &workspace, &outputs, &why) == DYTQ_OK);
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_OK);
  CHECK(maps[128 + 100] == 25 && maps[0] == -32);
  chain.steps = made;
  chain.count = plan.operators;
  to.data = again;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_OK && memcmp(maps, again, sizeof maps) == 0);

  /* Hostile. */
  chain.steps = steps;
  chain.count = 2;
  memset(again, 9, sizeof again);
  chain.steps = NULL;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_NULL_ARGUMENT);
  chain.steps = steps;
  chain.count = 33;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_EXTENT_OVERFLOW);
  chain.count = -1;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_REJECTED);
  chain.count = 2;
  chain.channels = 0;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_CHANNEL_COUNT);
  chain.channels = 1;
  steps[1].size -= 8;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_BAD_SIZE);
  steps[1].size += 8;
  steps[1].op = 99;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_UNKNOWN_TYPE);
  steps[1].op = DYTQ_OPERATION_TABLE;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_REJECTED && why.reason == DYTQ_REASON_TABLE_SIZE);
  steps[1].op = DYTQ_OPERATION_RESCALE;
  steps[1].scale.shift = 1;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_REJECTED && why.step == 1);
  steps[1].scale.shift = 31;
  to.extents[0] = 2;
  CHECK(dytq_chain_maps(&chain, &to, &why) == DYTQ_REJECTED);
  to.extents[0] = 1;
  CHECK(again[0] == 9 && again[255] == 9);
  workspace.codes.extents[0] -= 1;
  plan.operators = -7;
  CHECK(dytq_plan_chain(&chain, NULL, NULL, &workspace, &plan, NULL, NULL, &why) == DYTQ_REJECTED);
  CHECK(why.reason == DYTQ_REASON_SIZE_MISMATCH && plan.operators == -7);
  workspace.codes.extents[0] += 1;
  CHECK(dytq_plan_chain(&chain, NULL, NULL, NULL, &plan, NULL, NULL, &why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_plan_chain(NULL, NULL, NULL, &workspace, &plan, NULL, NULL, &why) == DYTQ_NULL_ARGUMENT);
  stretches[3].size = 8;
  CHECK(dytq_plan_chain(&chain, NULL, NULL, &workspace, &plan, stretches, NULL, &why) == DYTQ_BAD_SIZE);
  outputs.count = 65;
  CHECK(dytq_apply_plan(&chain, NULL, NULL, &workspace, &outputs, &why) == DYTQ_REJECTED);
  outputs.count = 0;
  CHECK(dytq_apply_plan(&chain, NULL, NULL, &workspace, &outputs, &why) == DYTQ_REJECTED);
  outputs.count = 1;
  outputs.steps = NULL;
  CHECK(dytq_apply_plan(&chain, NULL, NULL, &workspace, &outputs, &why) == DYTQ_NULL_ARGUMENT);
}

static void bounded(void) {
  struct layer l;
  static int64_t workspace[4096];
  int32_t multiplier = 1 << 30, shift = 33, multipliers[O], shifts[O];
  const dytq_view m = view1(&multiplier, DYTQ_INT32, 1), s = view1(&shift, DYTQ_INT32, 1);
  dytq_bounded_outputs to;
  dytq_bounded_fold fold_;
  int64_t count = 0;
  memset(&to, 0, sizeof to);
  memset(&fold_, 0, sizeof fold_);
  set_up(&l);
  l.gamma[1] = 3;
  l.site.gamma_out.shift = 31;
  to.size = sizeof to;
  fold_.size = sizeof fold_;
  CHECK(dytq_bounded_workspace(&l.conv, &count, &l.why) == DYTQ_OK && count > 0 && count <= 4096);
  to.weight = l.outputs.weight;
  to.bias = l.outputs.bias;
  to.multiplier = output1(multipliers, DYTQ_INT32, O);
  to.shift = output1(shifts, DYTQ_INT32, O);
  to.workspace = output1(workspace, DYTQ_INT64, count - 1);
  CHECK(dytq_fold_bounded(&l.site, &l.conv, &m, &s, 100, NULL, &to, &fold_, &l.why) == DYTQ_REJECTED);
  CHECK(l.why.reason == DYTQ_REASON_SIZE_MISMATCH && l.weight[1] == -10);
  to.workspace = output1(workspace, DYTQ_INT64, count);
  CHECK(dytq_fold_bounded(&l.site, &l.conv, &m, &s, 0, NULL, &to, &fold_, &l.why) == DYTQ_REJECTED);
  CHECK(l.why.reason == DYTQ_REASON_BEYOND_TOLERANCE && l.why.got > 0 && l.weight[1] == -10 && fold_.bound[0] == 0);
  CHECK(dytq_fold_bounded(&l.site, &l.conv, NULL, &s, 0, NULL, &to, &fold_, &l.why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_fold_bounded(&l.site, &l.conv, &m, &s, 100, NULL, NULL, &fold_, &l.why) == DYTQ_NULL_ARGUMENT);
  {
    struct layer original;
    dytq_bounded_claim claim;
    int64_t bound[2] = {0, 0};
    set_up(&original);
    original.gamma[1] = 3;
    original.site.gamma_out.shift = 31;
    CHECK(dytq_fold_bounded(&l.site, &l.conv, &m, &s, 100, NULL, &to, &fold_, &l.why) == DYTQ_OK);
    CHECK(fold_.bound[0] > 0 && fold_.exact == 0);
    {
      dytq_bounded_fold answer;
      memset(&answer, 0, sizeof answer);
      answer.size = sizeof answer;
      CHECK(dytq_prove_bounded_fold(&original.site, &original.conv, &m, &s, 100, NULL, &to.workspace, NULL, &answer, &l.why) == DYTQ_OK);
      CHECK(memcmp(&answer, &fold_, sizeof answer) == 0 && original.weight[1] == -10);
      CHECK(dytq_prove_bounded_fold(&original.site, &original.conv, &m, &s, 100, NULL, NULL, NULL, &answer, &l.why) == DYTQ_NULL_ARGUMENT);
    }
    memset(&claim, 0, sizeof claim);
    claim.size = sizeof claim;
    claim.weight = l.conv.weight;
    claim.bias = l.conv.bias;
    claim.multiplier = view1(multipliers, DYTQ_INT32, O);
    claim.shift = view1(shifts, DYTQ_INT32, O);
    claim.input_zp = fold_.input_zp;
    CHECK(dytq_check_bounded(&original.site, &original.conv, &m, &s, &claim, bound, &l.why) == DYTQ_OK);
    CHECK(bound[0] > 0 && bound[1] < 63 && fold_.bound[1] < 63);
    CHECK((double)bound[0] / (double)((uint64_t)1 << bound[1]) <= (double)fold_.bound[0] / (double)((uint64_t)1 << fold_.bound[1]));
    CHECK(dytq_check_bounded(&original.site, &original.conv, &m, &s, NULL, bound, &l.why) == DYTQ_NULL_ARGUMENT);
    {
      int64_t each[2 * O] = {-7, -7, -7, -7};
      claim.bounds = output1(each, DYTQ_INT64, O);
      CHECK(dytq_check_bounded(&original.site, &original.conv, &m, &s, &claim, bound, &l.why) == DYTQ_BAD_VIEW);
      claim.bounds.rank = 2;
      claim.bounds.strides[0] = claim.bounds.extents[1] = 2;
      claim.bounds.strides[1] = 1;
      claim.input_zp = 128;
      CHECK(dytq_check_bounded(&original.site, &original.conv, &m, &s, &claim, bound, &l.why) == DYTQ_REJECTED);
      CHECK(l.why.reason == DYTQ_REASON_ZERO_POINT_OUT_OF_RANGE && l.why.got == 128 && each[0] == -7 && each[3] == -7);
      claim.input_zp = fold_.input_zp;
      CHECK(dytq_check_bounded(&original.site, &original.conv, &m, &s, &claim, bound, &l.why) == DYTQ_OK);
      CHECK(each[0] >= 0 && each[2] >= 0 && ((each[0] == bound[0] && each[1] == bound[1]) || (each[2] == bound[0] && each[3] == bound[1])));
    }
  }
}

/* A chain that halves what a linear layer gives goes into the layer's own RESCALE. */
static void producer(void) {
  struct layer l;
  dytq_chain_step half;
  dytq_chain chain;
  dytq_producer_outputs to;
  dytq_producer_fold fold_;
  int32_t multiplier[O] = {1 << 30, 1 << 30}, shift[O] = {36, 36}, differences[O] = {-7, -7};
  const int64_t ranges[2] = {-8000, 8000};
  dytq_view m = view1(multiplier, DYTQ_INT32, O), s = view1(shift, DYTQ_INT32, O), accumulators = view1(ranges, DYTQ_INT64, 1);
  set_up(&l);
  memset(&half, 0, sizeof half);
  memset(&chain, 0, sizeof chain);
  memset(&to, 0, sizeof to);
  memset(&fold_, 0, sizeof fold_);
  half.size = sizeof half;
  half.op = DYTQ_OPERATION_RESCALE;
  half.scale = step(1 << 30, 31);
  chain.size = sizeof chain;
  chain.steps = &half;
  chain.count = 1;
  chain.channels = O;
  to.size = sizeof to;
  to.bias = l.outputs.bias;
  to.multiplier = output1(multiplier, DYTQ_INT32, O);
  to.shift = output1(shift, DYTQ_INT32, O);
  to.differences = output1(differences, DYTQ_INT32, O);
  fold_.size = sizeof fold_;
  accumulators.rank = 2;
  accumulators.extents[1] = accumulators.strides[0] = 2;
  accumulators.strides[1] = 1;
  CHECK(dytq_fold_into_producer(NULL, &l.conv, &m, &s, 0, 1, NULL, &to, &fold_, &l.why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_fold_into_producer(&chain, &l.conv, &m, &s, 0, 1, NULL, NULL, &fold_, &l.why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_fold_into_producer(&chain, &l.conv, &m, &s, 0, 1, NULL, &to, NULL, &l.why) == DYTQ_NULL_ARGUMENT);
  CHECK(dytq_fold_into_producer(&chain, &l.conv, &m, &s, 1, 1, NULL, &to, &fold_, &l.why) == DYTQ_REJECTED);
  CHECK(l.why.reason == DYTQ_REASON_ZERO_POINT_MISMATCH && l.why.expected == 1 && l.why.got == 0);
  chain.channels = 3;
  CHECK(dytq_fold_into_producer(&chain, &l.conv, &m, &s, 0, 1, NULL, &to, &fold_, &l.why) == DYTQ_REJECTED);
  CHECK(l.why.reason == DYTQ_REASON_CHANNEL_COUNT && l.why.expected == O && l.why.got == 3);
  chain.channels = O;
  CHECK(multiplier[0] == 1 << 30 && shift[1] == 36 && differences[0] == -7 && fold_.bound == 0);
  CHECK(dytq_fold_into_producer(&chain, &l.conv, &m, &s, 0, 1, &accumulators, &to, &fold_, &l.why) == DYTQ_OK);
  CHECK(dytq_prove_producer_fold(NULL, &l.conv, &m, &s, 0, 1, NULL, NULL, &fold_, &l.why) == DYTQ_NULL_ARGUMENT);
  CHECK(fold_.bound <= 1 && fold_.assumes_accumulators == 1 && differences[0] >= 0 && differences[0] <= 1);
}

static void engines(void) {
  dytq_rejection why = nothing();
  dytq_qparams in, out;
  dytq_rescale s, sum[3];
  dytq_range codes;
  memset(&in, 0, sizeof in);
  memset(&out, 0, sizeof out);
  memset(&s, 0, sizeof s);
  in.scale = 0.5;
  out.scale = 0.25;
  CHECK(dytq_requantization(DYTQ_ENGINE_XNNPACK, DYTQ_KERNEL_CONV_2D, 0.5, 0.125, &out, &s, &why) == DYTQ_OK);
  CHECK(s.rounding == DYTQ_ROUNDING_XNNPACK_FP32 && s.out.lo == -128);
  CHECK(dytq_addition(DYTQ_ENGINE_TFLITE, &in, &in, &out, sum, &why) == DYTQ_OK && sum[0].left_shift == 20 && sum[2].left_shift == 0);
  CHECK(dytq_activation_range(DYTQ_ACTIVATION_RELU6, &out, &codes, &why) == DYTQ_OK && codes.lo == 0 && codes.hi == 24);
  s.shift = -7;
  CHECK(dytq_average_pool(0, NULL, &s, &why) == DYTQ_REJECTED && why.got == 0 && s.shift == -7);
  CHECK(dytq_requantization(77, DYTQ_KERNEL_CONV_2D, 0.5, 0.125, &out, &s, &why) == DYTQ_REJECTED);
  CHECK(why.reason == DYTQ_REASON_UNKNOWN_DIALECT && why.got == 77 && s.shift == -7);
}

static void *fold_again_and_again(void *argument) {
  int *wrong = (int *)argument;
  int i;
  for (i = 0; i < 200; ++i) {
    struct layer l;
    int8_t table[256];
    dytq_qparams in, out;
    const dytq_output to = output1(table, DYTQ_INT8, 256);
    memset(&in, 0, sizeof in);
    memset(&out, 0, sizeof out);
    in.scale = 0.001 * (i + 1);
    out.scale = 1.0 / 128;
    set_up(&l);
    *wrong += fold(&l) != DYTQ_OK || l.weight[1] != 10;
    *wrong += dytq_lut8(DYTQ_FUNCTION_LOGISTIC, &in, &out, NULL, &to, &l.why) != DYTQ_OK || table[128] != 64;
  }
  return NULL;
}

static void two_threads(void) {
  pthread_t threads[2];
  int wrong[2] = {0, 0};
  int i;
  for (i = 0; i < 2; ++i) {
    CHECK(pthread_create(&threads[i], NULL, fold_again_and_again, &wrong[i]) == 0);
  }
  for (i = 0; i < 2; ++i) {
    CHECK(pthread_join(threads[i], NULL) == 0);
  }
  CHECK(wrong[0] == 0 && wrong[1] == 0);
}

int main(void) {
  right_answers();
  hostile_fold();
  hostile_scalars();
  several_convolutions();
  chains();
  bounded();
  producer();
  engines();
  two_threads();
  if (failures == 0) {
    printf("dytq %s: all checks passed\n", dytq_version());
  }
  return failures != 0;
}
