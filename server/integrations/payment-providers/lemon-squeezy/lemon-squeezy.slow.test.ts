process.env.RUNS ??= '12'
await import('./lemon-squeezy.test.ts')
