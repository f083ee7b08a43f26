process.env.RUNS ??= '20'
await import('./bulk.model.test.ts')
