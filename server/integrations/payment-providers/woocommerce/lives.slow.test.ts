process.env.RUNS ??= '12'
await import('./lives.test.ts')
