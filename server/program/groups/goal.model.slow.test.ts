process.env.RUNS ??= '40'
await import('./goal.model.test.ts')
