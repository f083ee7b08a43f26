process.env.RUNS ??= '25'
await import('./accounting.model.test.ts')
