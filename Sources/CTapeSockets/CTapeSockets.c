#include "CTapeSockets.h"
