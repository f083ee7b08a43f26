process.env.RUNS ??= '12'
await import('./credit.test.ts')
