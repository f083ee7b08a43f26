process.env.RUNS ??= '40'
await import('./fraud-cases.model.test.ts')
