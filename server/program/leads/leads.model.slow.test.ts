process.env.RUNS ??= '12'
await import('./leads.model.test.ts')
