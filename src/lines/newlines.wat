;; Counts line feeds, sixteen bytes at a time. The text lies at 0.
(module
  (memory (export "memory") 1)

  ;; Number of line feeds in the first $length bytes, a multiple of 16.
  (func (export "count") (param $length i32) (result i32)
    (local $at i32) (local $stop i32) (local $count i32) (local $lanes v128)
    (block $done
      (loop $stretch
        (br_if $done (i32.ge_u (local.get $at) (local.get $length)))
        ;; After 255 steps a lane of eight bits could overflow.
        (local.set $stop (i32.add (local.get $at) (i32.const 4080)))
        (if (i32.gt_u (local.get $stop) (local.get $length))
          (then (local.set $stop (local.get $length))))
        (local.set $lanes (v128.const i32x4 0 0 0 0))
        (loop $step
          ;; A lane that is equal is minus one.
          (local.set $lanes
            (i8x16.sub
              (local.get $lanes)
              (i8x16.eq
                (v128.load (local.get $at))
                (v128.const i32x4 0x0a0a0a0a 0x0a0a0a0a 0x0a0a0a0a 0x0a0a0a0a))))
          (local.set $at (i32.add (local.get $at) (i32.const 16)))
          (br_if $step (i32.lt_u (local.get $at) (local.get $stop))))
        (local.set $lanes
          (i32x4.extadd_pairwise_i16x8_u (i16x8.extadd_pairwise_i8x16_u (local.get $lanes))))
        (local.set $count
          (i32.add
            (local.get $count)
            (i32.add
              (i32.add (i32x4.extract_lane 0 (local.get $lanes)) (i32x4.extract_lane 1 (local.get $lanes)))
              (i32.add (i32x4.extract_lane 2 (local.get $lanes)) (i32x4.extract_lane 3 (local.get $lanes))))))
        (br $stretch)))
    (local.get $count)))
