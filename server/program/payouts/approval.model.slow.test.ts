process.env.RUNS ??= '10'
await import('./approval.model.test.ts')
