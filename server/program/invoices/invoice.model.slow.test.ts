process.env.RUNS ??= '40'
await import('./invoice.model.test.ts')
