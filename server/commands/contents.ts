import { existsSync } from 'node:fs'
import type { Command } from 'commander'

/** Adds a command with its arguments, options and what it does to the program. */
export type Define = (program: Command) => Command

/** A server's folder comes without it. */
const hasDemo = existsSync(new URL('../../demo/run.ts', import.meta.url))

/** Every command by its name, in the order in which help shows them; only the one that is asked for is loaded. */
export const commands: Record<string, () => Promise<{ define: Define }>> = {
  start: () => import('./start.ts'),
  migrate: () => import('./migrate.ts'),
  doctor: () => import('./doctor.ts'),
  admin: () => import('./admin.ts'),
  user: () => import('./user.ts'),
  account: () => import('./account.ts'),
  rekey: () => import('./rekey.ts'),
  'verify-ledger': () => import('./verify-ledger.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  export: () => import('./export.ts'),
  import: () => import('./import.ts'),
  openapi: () => import('./openapi.ts'),
  ...(hasDemo && { demo: () => import('./demo.ts') }),
}
