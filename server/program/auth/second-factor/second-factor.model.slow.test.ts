process.env.RUNS ??= '12'
await import('./second-factor.model.test.ts')
