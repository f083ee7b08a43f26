process.env.RUNS ??= '50'
await import('./promises.test.ts')
