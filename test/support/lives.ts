import type { Database } from '../../server/platform/database/pool.ts'

/**
 * Random lives of a part of the product: each a course of events that its seed decides, lived through by the real server
 * code and compared with a model after each step. `npm run chaos` lives many of them.
 */
export type Lives = {
  /** What the lives of one database share. */
  begin(db: Database): Promise<{
    /** Throws with the seed, the steps so far and what is wrong. */
    live(seed: number): Promise<void>
    end(): Promise<void>
  }>
}
