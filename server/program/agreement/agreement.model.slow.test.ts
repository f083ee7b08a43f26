process.env.RUNS ??= '30'
await import('./agreement.model.test.ts')
