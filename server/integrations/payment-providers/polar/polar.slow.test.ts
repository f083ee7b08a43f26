process.env.RUNS ??= '12'
await import('./polar.test.ts')
