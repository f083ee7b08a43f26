process.env.RUNS ??= '24'
await import('./series.test.ts')
