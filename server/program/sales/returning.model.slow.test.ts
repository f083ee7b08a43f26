process.env.RUNS ??= '200'
await import('./returning.model.test.ts')
