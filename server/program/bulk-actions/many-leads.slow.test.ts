import { MOST_IN_BULK } from '#contract/bulk-actions.ts'

process.env.RUNS ??= String(MOST_IN_BULK)
await import('./many-leads.test.ts')
