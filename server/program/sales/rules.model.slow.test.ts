process.env.RUNS ??= '80'
await import('./rules.model.test.ts')
