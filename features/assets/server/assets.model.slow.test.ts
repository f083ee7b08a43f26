process.env.RUNS ??= '12'
await import('./assets.model.test.ts')
