process.env.RUNS ??= '60'
await import('./preview.model.test.ts')
