process.env.RUNS ??= '24'
await import('./in-force.test.ts')
