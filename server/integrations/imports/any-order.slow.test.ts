process.env.RUNS ??= '12'
await import('./any-order.test.ts')
