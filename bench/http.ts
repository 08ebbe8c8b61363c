import type { Bench } from './bench.ts';
export const http_bench: Bench = { name: 'http', title: '', method: '', run: async () => [] };
