;; The block hash of hash-block.ts in 64 bits: "Multilinear-HM" modulo 2^64 of words of 32 bits.
;; hash-block-wasm.ts holds what this compiles to; a test compares them.
(module
  (memory (export "memory") 2)

  ;; Hashes the bytes from $start to $end, a multiple of 8, and writes 8 bytes at $result.
  (func (export "hashBlock") (param $start i32) (param $end i32) (param $key i32) (param $result i32)
    (local $first i64)
    (local $second i64)
    (local $x i64)
    (local $y i64)

    ;; x = k[0], y = k[1]
    (local.set $x (i64.load (local.get $key)))
    (local.set $y (i64.load offset=8 (local.get $key)))
    (local.set $key (i32.add (local.get $key) (i32.const 16)))

    (block $done
      (loop $next
        (br_if $done (i32.ge_u (local.get $start) (local.get $end)))
        (local.set $first (i64.load32_u (local.get $start)))
        (local.set $second (i64.load32_u offset=4 (local.get $start)))

        ;; x += (k[i] + first) * (k[i + 1] + second)
        (local.set $x
          (i64.add
            (local.get $x)
            (i64.mul
              (i64.add (local.get $first) (i64.load (local.get $key)))
              (i64.add (local.get $second) (i64.load offset=8 (local.get $key))))))

        ;; y += (k[i + 2] + first) * (k[i + 3] + second)
        (local.set $y
          (i64.add
            (local.get $y)
            (i64.mul
              (i64.add (local.get $first) (i64.load offset=16 (local.get $key)))
              (i64.add (local.get $second) (i64.load offset=24 (local.get $key))))))

        (local.set $start (i32.add (local.get $start) (i32.const 8)))
        (local.set $key (i32.add (local.get $key) (i32.const 32)))
        (br $next)))

    ;; The upper halves.
    (i64.store32 (local.get $result) (i64.shr_u (local.get $x) (i64.const 32)))
    (i64.store32 offset=4 (local.get $result) (i64.shr_u (local.get $y) (i64.const 32)))))
