import { createHash } from 'node:crypto'

export type Random = ReturnType<typeof seededRandom>

/** Random numbers that are the same for the same seed (xoshiro128**), so that a filling can be repeated. */
export function seededRandom(seed: string) {
  const digest = createHash('sha256').update(seed).digest()
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at)) as [number, number, number, number]
  const rotated = (x: number, bits: number) => (x << bits) | (x >>> (32 - bits))

  /** Returns a number from 0 up to but not including 1. */
  function next() {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9)
    const shifted = b << 9
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= shifted
    d = rotated(d, 11)
    return (result >>> 0) / 4_294_967_296
  }
  const between = (from: number, to: number) => from + next() * (to - from)

  return {
    between,
    /** A whole number, both ends included. */
    whole: (from: number, to: number) => Math.floor(between(from, to + 1)),
    chance: (probability: number) => next() < probability,
    pick: <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!,
    /** Returns one of the list; its weight is its relative probability. */
    weighted<T>(list: readonly T[], weightOf: (one: T) => number): T {
      let left = next() * list.reduce((sum, one) => sum + weightOf(one), 0)
      for (const one of list) {
        left -= weightOf(one)
        if (left < 0) return one
      }
      return list.at(-1)!
    },
  }
}
