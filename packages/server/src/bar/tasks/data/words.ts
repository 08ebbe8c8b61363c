/** Plain English words of three to eight letters, for messages, sorting and practice. */
export const plain_words: readonly string[] = `
  able above actor after again agent alarm album alone amber angle apron arrow aside attic august
  avenue baker balcony bamboo banner barley barrel basket bath beacon bead bean before begin behind
  below bench beside better beyond biscuit blanket blossom board bonnet border borrow bottle bottom
  boulder branch brave bread breeze brick bridge bright bring broad broken bronze brook brush bucket
  builder bundle button cabin cable calm camera canal candle canvas captain careful carpet carry
  carve castle catch cellar centre chain chair chalk chapter charm cheese chest chimney choose circle
  clean clear clerk climb clock cloth cloud coast coffee collar colour comfort common copper copy
  corner cotton counter country courage cousin cover cradle crate crayon crisp crowd crystal cup
  curtain cushion custom damp dance danger dark dawn deal deep deliver desk detail dinner dish
  distant doctor door double dozen drawer dream drift drum dry dull dusk dust early earth east echo
  edge eight elbow empty engine enough equal evening every exact fabric factory fair famous far
  farmer fast feather fence ferry field finger finish fire firm first flag flame flat flavour float
  floor flour flute fold follow forest forget fork fresh friend front frost funnel garden gate gentle
  ginger glass glove goat gold good grain grand gravel great green grocer ground group guard guest
  guide hall hammer hand handle happy harbour hard harvest hat hazel heat heavy hedge help hidden
  high hill hollow honest honey hood horse hotel hour house humble hungry hurry ink iron island ivory
  jacket jar join journey juice jump keen keep kettle key kind kitchen kite knock ladder lake lamp
  lane lantern large late laugh lead leaf leather lemon lesson letter level light linen little lively
  loaf local long loose lucky maple marble march market master match meadow medal melon metal middle
  mild milk mill mirror mist mixture money moon morning motor mud museum music narrow nature near
  neat needle nephew never nickel night noise north note nothing number nurse oak oats ocean office
  olive only open orange orchard order other outside oven owner oyster paddle page paint palace panel
  paper parcel parent parlour past path patient pause peach pearl pebble pencil people pepper perfect
  piano picnic piece pillow pilot pine pink pipe pitcher plain planet plate please plenty pocket
  poem point polish pond porch post potter powder power pretty prize promise proper proud puddle
  pull purple purse puzzle quarter queen quick quiet rabbit radio railway rain raise raven razor
  reach ready record red repair report rescue ribbon rich ride ring ripe river road roast robin
  rocket roof room root rope rough round row rubber rug ruler saddle safe sail salt sand saucer
  scarf school scissors score sea season second secret seed seldom sentence seven shade shadow
  shallow sharp shelf shell shine shirt shoe shop shore short shovel silent silk silver simple single
  sister skirt sleep slope slow small smoke smooth snow soap soft soil sound soup south spare speak
  spice spoon spring square stable stage stamp start station steady steam steel stone stool store
  storm story stove straw stream street string strong sudden sugar summer supper sweet swim table
  tailor tall teach temple tent thick thimble thread ticket tidy timber tiny toast today together
  tomato tool torch total tower town track trade train travel tray treasure tree trial tunnel turn
  twelve twenty uncle under unit upper useful valley vase velvet village violin visit voice wagon
  waist walk wallet walnut warm water wave wax weather wedding week weight west wheel whisper white
  whole wicker wide willow wind window winter wise wonder wooden wool word worker yard year yellow
`
  .trim()
  .split(/\s+/);
