process.env.RUNS ??= '60'
await import('./lives.test.ts')
