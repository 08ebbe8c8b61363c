// The baseline of the HTTP benches: a Fastify server that parses and answers the same JSON, and does
// nothing else. Prints its port when it listens.
import Fastify from 'fastify';

type Fixture = { read: unknown; posted: unknown };

const fixture: Fixture = JSON.parse(process.argv[2] ?? '{}');
const fastify = Fastify();
fastify.setSerializerCompiler(() => JSON.stringify);
fastify.get('/read', async () => fixture.read);
fastify.post('/post', async (_, reply) => reply.code(201).send(fixture.posted));
await fastify.listen({ port: 0, host: '127.0.0.1' });
const address = fastify.server.address();
console.log(typeof address === 'object' ? address?.port : address);
