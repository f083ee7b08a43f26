import { setTimeout as sleep } from 'node:timers/promises'
import type { BenchEnvironment } from './environment.ts'
import { aFolderWithData, startBare, startProduct } from './lone-product.ts'
import { listDescendants, readPss } from './processes.ts'
import { type Line, type Scale, toRatio } from './rounds.ts'

/** Idle time before memory is read. */
const IDLE_MS = 30_000
/** Bytes beyond the 28 MB of node:http: 90 MB for Node, 130 with PostgreSQL. */
const MAY_KEEP = { node: (90 - 28) * 1_048_576, all: (130 - 28) * 1_048_576 }

/**
 * The memory of an idle product beyond that of node:http. Pages shared by processes count in parts (PSS), so each
 * process alone reads lower the more Nodes there are, but their difference does not. Linux only.
 */
export async function measureMemory(_ground: BenchEnvironment, { rounds }: Scale): Promise<Line[]> {
  const { folder, remove } = await aFolderWithData()
  try {
    const [bare, product] = [await startBare(), await startProduct(folder)]
    await sleep(rounds > 1 ? IDLE_MS : IDLE_MS / 10)
    const floor = readPss(bare.pid).all
    const node = readPss(product.pid).all
    const below = listDescendants(product.pid)
    const postgres = below.reduce((sum, pid) => sum + readPss(pid).all, 0)
    await Promise.all([bare.end(), product.end()])
    const line = (what: string, kept: number, mayKeep: number, also: string): Line => ({
      what,
      ours: mb(kept),
      floor: mb(floor),
      ...toRatio([mayKeep], [kept - floor]),
      goal: 1,
      also,
    })
    return [
      line('idle memory of Node', node, MAY_KEEP.node, `may keep ${mb(MAY_KEEP.node)} beyond the floor`),
      line(
        'idle memory with PostgreSQL',
        node + postgres,
        MAY_KEEP.all,
        `${mb(postgres)} in ${below.length} processes; may keep ${mb(MAY_KEEP.all)}`,
      ),
    ]
  } finally {
    await remove()
  }
}

const mb = (bytes: number) => `${(bytes / 1_048_576).toFixed(1)} MB`
