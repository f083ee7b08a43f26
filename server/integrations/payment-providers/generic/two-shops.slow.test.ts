process.env.RUNS ??= '4'
await import('./two-shops.test.ts')
