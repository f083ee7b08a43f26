process.env.RUNS ??= '25'
await import('./claims.model.test.ts')
