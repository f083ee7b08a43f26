process.env.RUNS ??= '6'
await import('./forecast.model.test.ts')
