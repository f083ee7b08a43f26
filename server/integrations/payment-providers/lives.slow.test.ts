process.env.RUNS ??= '24'
await import('./lives.test.ts')
