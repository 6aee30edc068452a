;; The inner loop of the gate: which aligned words of a text may belong to a keyword.
;;
;; Memory, in bytes: a bitmap of 2^18 hashes at 0, the text at 32,768 (65,536 long), the offsets found at 98,304.
(module
  (memory (export "memory") 3)

  ;; The hash of a word, its bytes folded to one case.
  (func $hash (param $at i32) (result i32)
    (i32.shr_u
      (i32.mul
        (i32.or (i32.load (local.get $at)) (i32.const 0x20202020))
        (i32.const 0x9e3779b1))
      (i32.const 14)))

  ;; In its lowest bit whether the bitmap holds a hash.
  (func $holds (param $hash i32) (result i32)
    (i32.shr_u
      (i32.load (i32.and (i32.shr_u (local.get $hash) (i32.const 3)) (i32.const 0x7ffc)))
      (local.get $hash)))

  ;; Writes the offset of a word, and moves on only where the bit is set: without a branch.
  (func $keep (param $to i32) (param $at i32) (param $bit i32) (result i32)
    (i32.store (local.get $to) (i32.sub (local.get $at) (i32.const 32768)))
    (i32.add (local.get $to) (i32.shl (i32.and (local.get $bit) (i32.const 1)) (i32.const 2))))

  ;; Writes the offset of each word of the first $length bytes, a multiple of 16, that the bitmap holds: returns how many.
  (func (export "candidates") (param $length i32) (result i32)
    (local $at i32) (local $end i32) (local $to i32)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local.set $at (i32.const 32768))
    (local.set $end (i32.add (local.get $at) (local.get $length)))
    (local.set $to (i32.const 98304))
    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $a (call $holds (call $hash (local.get $at))))
        (local.set $b (call $holds (call $hash (i32.add (local.get $at) (i32.const 4)))))
        (local.set $c (call $holds (call $hash (i32.add (local.get $at) (i32.const 8)))))
        (local.set $d (call $holds (call $hash (i32.add (local.get $at) (i32.const 12)))))
        (if
          (i32.and
            (i32.or (i32.or (local.get $a) (local.get $b)) (i32.or (local.get $c) (local.get $d)))
            (i32.const 1))
          (then
            (local.set $to (call $keep (local.get $to) (local.get $at) (local.get $a)))
            (local.set $to (call $keep (local.get $to) (i32.add (local.get $at) (i32.const 4)) (local.get $b)))
            (local.set $to (call $keep (local.get $to) (i32.add (local.get $at) (i32.const 8)) (local.get $c)))
            (local.set $to (call $keep (local.get $to) (i32.add (local.get $at) (i32.const 12)) (local.get $d)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))
    (i32.shr_u (i32.sub (local.get $to) (i32.const 98304)) (i32.const 2))))
