process.env.RUNS ??= '12'
await import('./announcement.model.test.ts')
