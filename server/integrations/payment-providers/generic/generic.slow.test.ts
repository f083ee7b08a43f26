process.env.RUNS ??= '12'
await import('./generic.test.ts')
