process.env.RUNS ??= '25'
await import('./lemon-squeezy.test.ts')
