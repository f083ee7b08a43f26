process.env.RUNS ??= '6'
await import('./past.model.test.ts')
