process.env.RUNS ??= '25'
await import('./generic.test.ts')
