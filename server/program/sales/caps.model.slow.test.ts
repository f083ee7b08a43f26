process.env.RUNS ??= '80'
await import('./caps.model.test.ts')
