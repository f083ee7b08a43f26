process.env.RUNS ??= '4'
await import('./stale-restore.test.ts')
