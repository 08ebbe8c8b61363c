/** A kind of thing and its words. Two categories of one realm are too near each other to be mixed. */
export type Category = {
  readonly name: string;
  readonly realm: string;
  readonly words: readonly string[];
};

const category = (realm: string, name: string, words: string): Category => ({
  name,
  realm,
  words: words.trim().split(/\s+/),
});

/** Twenty-four categories. No word stands in two, or could. */
export const categories: readonly Category[] = [
  category(
    'grown',
    'birds',
    'sparrow heron magpie robin wren finch owl eagle falcon stork pigeon raven goose duck puffin pelican',
  ),
  category(
    'grown',
    'mammals',
    'otter badger hedgehog squirrel weasel moose bison giraffe zebra leopard camel donkey rabbit wolverine koala hyena',
  ),
  category(
    'grown',
    'fish',
    'salmon trout herring haddock mackerel sardine halibut tuna carp eel anchovy sturgeon plaice tench minnow turbot',
  ),
  category(
    'grown',
    'insects',
    'firefly wasp hornet ant moth butterfly grasshopper mosquito ladybird dragonfly cockroach termite earwig bumblebee locust aphid',
  ),
  category(
    'grown',
    'trees',
    'oak birch willow maple beech spruce larch alder rowan elm poplar yew sycamore cedar hawthorn hornbeam',
  ),
  category(
    'grown',
    'flowers',
    'tulip daffodil poppy dandelion marigold peony geranium begonia snowdrop bluebell buttercup carnation gardenia orchid hyacinth primrose',
  ),
  category(
    'grown',
    'fruit',
    'apple pear banana cherry plum apricot mango papaya pineapple strawberry raspberry blueberry grape lemon melon nectarine',
  ),
  category(
    'grown',
    'vegetables',
    'carrot parsnip turnip cabbage broccoli spinach lettuce cucumber onion leek celery asparagus artichoke radish cauliflower potato',
  ),
  category(
    'grown',
    'baked goods',
    'pancake waffle muffin bagel pretzel croissant biscuit doughnut brownie scone crumpet baguette strudel gingerbread shortbread flapjack',
  ),
  category(
    'objects',
    'tools',
    'hammer chisel screwdriver pliers wrench spanner hacksaw mallet crowbar rake shovel trowel pickaxe anvil hatchet wheelbarrow',
  ),
  category(
    'objects',
    'kitchenware',
    'saucepan ladle spatula whisk colander kettle teapot grater corkscrew skillet tablespoon casserole cauldron sieve teacup breadboard',
  ),
  category(
    'objects',
    'furniture',
    'sofa armchair wardrobe bookcase cupboard dresser stool bench couch sideboard nightstand footstool cradle bedstead bookshelf desk',
  ),
  category(
    'objects',
    'clothes',
    'trousers jacket sweater scarf mitten glove sock blouse skirt cardigan waistcoat pyjamas raincoat apron tunic petticoat',
  ),
  category(
    'objects',
    'instruments',
    'violin cello trumpet trombone clarinet oboe bassoon flute piano harp banjo mandolin tuba xylophone saxophone accordion',
  ),
  category(
    'objects',
    'vehicles',
    'tractor lorry motorcycle scooter helicopter submarine tram bus van taxi aeroplane ambulance ferry bulldozer locomotive minibus',
  ),
  category(
    'people',
    'parts of the body',
    'elbow shoulder ankle knee wrist eyebrow forehead chin thumb liver kidney lung stomach nostril eyelid earlobe',
  ),
  category(
    'people',
    'trades',
    'plumber carpenter lawyer dentist surgeon librarian accountant gardener electrician baker tailor teacher journalist pharmacist blacksmith barber',
  ),
  category(
    'people',
    'relatives',
    'mother father sister brother uncle aunt nephew niece cousin grandmother grandfather daughter grandson stepfather godmother stepson',
  ),
  category(
    'outdoors',
    'countries',
    'norway portugal brazil canada mexico peru kenya egypt japan india vietnam finland poland hungary argentina australia',
  ),
  category(
    'outdoors',
    'weather',
    'rain snow hail sleet thunder lightning drizzle blizzard hurricane tornado fog mist frost breeze gale downpour',
  ),
  category(
    'outdoors',
    'landforms',
    'mountain valley river island desert glacier canyon volcano waterfall meadow swamp peninsula lagoon cliff dune fjord',
  ),
  category(
    'numbers',
    'numbers',
    'seven eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy',
  ),
  category(
    'feelings',
    'feelings',
    'anger joy sadness fear envy pride jealousy gratitude boredom guilt loneliness delight hatred sorrow hope shame',
  ),
  category(
    'sports',
    'sports',
    'football tennis hockey rugby handball badminton volleyball basketball wrestling rowing fencing judo karate archery surfing gymnastics',
  ),
];
