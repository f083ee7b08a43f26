process.env.RUNS ??= '5'
await import('./lives.test.ts')
