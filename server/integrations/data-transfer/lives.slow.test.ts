process.env.RUNS ??= '40'
await import('./lives.test.ts')
