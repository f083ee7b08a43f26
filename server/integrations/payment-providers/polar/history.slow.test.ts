process.env.RUNS ??= '12'
await import('./history.test.ts')
